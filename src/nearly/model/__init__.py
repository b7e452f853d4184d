"""A cost model of GPUs, warp by warp, that needs no GPU: `estimate(graph, algorithm, approx, policy=, device=)`.

Counts are exact for the rounds an algorithm really takes; seconds are modelled from them. See `docs/model.md`.
"""

from nearly.model.estimate import Estimate as Estimate
from nearly.model.estimate import estimate as estimate
from nearly.model.modelled_devices import A100 as A100
from nearly.model.modelled_devices import C2070 as C2070
from nearly.model.modelled_devices import DEVICES as DEVICES
from nearly.model.modelled_devices import K20C as K20C
from nearly.model.modelled_devices import K40C as K40C
from nearly.model.modelled_devices import Device as Device
from nearly.model.round_costs import POLICIES as POLICIES
from nearly.model.round_costs import PROFILES as PROFILES
