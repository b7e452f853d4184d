"""What kernels see of one another: code to be made part of theirs, without what only Python needs.

numba makes of every function it compiles a wrapper that unpacks Python's objects, and machine code. A kernel that other
kernels call needs neither, since its code becomes part of theirs; both together are up to half of the time it takes to
compile. So a kernel has, beside the form that Python calls, one for other kernels: types and code that was optimized
once, kept on disk as LLVM bitcode. Each is made when it is first needed.

The body of a parallel loop becomes a function of its own, which only numba's threads call: it gets no wrapper either.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from llvmlite import binding
from numba.core import compiler, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import CPUDispatcher
from numba.parfors import parfor_lowering

from nearly.base.kernel_cache import KernelCache

_KEPT = (  # what numba keeps of a result beside its code, in this order
    "fndesc", "environment", "signature", "objectmode", "lifted", "type_annotation", "reload_init", "referenced_envs",
)  # fmt: skip


def _without_wrapper(make: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(make)
    def made(lowerer: Any, parfor: Any, typemap: Any, typing: Any, target: Any, flags: Any, *more: Any) -> Any:
        flags = flags.copy()
        flags.no_cpython_wrapper = True
        return make(lowerer, parfor, typemap, typing, target, flags, *more)

    return made


parfor_lowering._create_gufunc_for_parfor_body = _without_wrapper(parfor_lowering._create_gufunc_for_parfor_body)


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]
    """What Python calls; it hands other kernels its form for them."""

    _within: CPUDispatcher | None = None

    @property
    def within(self) -> CPUDispatcher:
        """The form for other kernels."""
        if self._within is None:
            options = {**self.targetoptions, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            made = self._within = WithinKernels(self.py_func, options)
            if isinstance(self._cache, KernelCache):
                made._cache = CacheWithin(self._cache.function, self._cache.options, f"{self._cache.form} within")
        return self._within

    @property
    def is_compiling(self) -> Any:
        """Numba asks this of what calls itself."""
        return self._compiling_counter or (self._within is not None and self._within.is_compiling)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The types of a call from another kernel, for which this is compiled."""
        _, folded = self._compiler.fold_argument_types(args, kws)
        if tuple(folded) in self.overloads:
            return super().get_call_template(args, kws)
        return self.within.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """The key of the code for a call from another kernel."""
        arguments, _ = sigutils.normalize_signature(sig)
        if tuple(arguments) in self.overloads:
            return super().get_overload(sig)
        return self.within.get_overload(sig)

    def add_overload(self, cres: CompileResult) -> None:
        super().add_overload(cres)
        if cres.metadata is not None:  # compiled just now, and not loaded: what it consists of has no environment yet
            for environment in cres._find_referenced_environments():
                cres.library.codegen.set_env(environment.env_name, environment)


class WithinKernels(CPUDispatcher):  # type: ignore[misc]
    """The form of a kernel for others; it cannot be called."""

    def __init__(self, function: Any, targetoptions: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=targetoptions)
        self._compiler = _CompilerWithin(function, self.targetdescr, targetoptions, {}, compiler.Compiler)

    def add_overload(self, cres: CompileResult) -> None:
        self.overloads[tuple(cres.signature.args)] = cres


class _CompilerWithin(_FunctionCompiler):  # type: ignore[misc]
    """Compiles into a library without machine code."""

    def _compile_core(self, args: Any, return_type: Any) -> CompileResult:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = True
        target, typing = self.targetdescr.target_context, self.targetdescr.typing_context
        library = CodeWithin(target.codegen(), self.py_func.__qualname__)
        made = compiler.compile_extra(
            typing, target, self.py_func, args=args, return_type=return_type, flags=flags, locals=self.locals,
            library=library, pipeline_class=self.pipeline_class,
        )  # fmt: skip
        library._ensure_finalized()
        made.reload_init.extend(library._reload_init)
        made = made._replace(entry_point=object())  # what others know it by
        target.insert_user_function(made.entry_point, made.fndesc, [library])
        return made


class CodeWithin(JITCodeLibrary):  # type: ignore[misc]
    """Code that others link in: optimized once, and once more as a part of them, but nothing that could be run."""

    def _optimize_final_module(self) -> None:
        """The first of numba's two rounds of all optimizations, whose twin the callers go through."""
        codegen = self._codegen
        kinds = {"loop_vectorize": codegen._loopvect, "slp_vectorize": False, "opt": codegen._opt_level}
        passes, builder = codegen._module_pass_manager(**kinds, cost="cheap")
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        return self.serialize_using_bitcode()


class CacheWithin(KernelCache):
    """The files of forms for other kernels."""

    def rebuilt(self, target_context: Any, content: Any) -> CompileResult:
        (name, _, bitcode), *parts = content
        said = dict(zip(_KEPT, parts, strict=True))
        for start in said["reload_init"]:
            start()
        library = CodeWithin(target_context.codegen(), name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_final_module()
        library._reload_init.update(said["reload_init"])
        here = {"target_context": target_context, "typing_context": target_context.typing_context, "library": library}
        forgotten = dict.fromkeys(("typing_error", "call_helper", "metadata"))
        return CompileResult(**said, **here, **forgotten, entry_point=object())
