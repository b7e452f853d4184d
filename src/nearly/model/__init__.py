"""A warp-level cost model of GPUs that needs none: `estimate(graph, algorithm, approx, policy=, device=)`.

Counts are exact for the rounds an algorithm really takes; seconds are modelled from them. See `docs/model.md`.
"""

from nearly.model.device import A100 as A100
from nearly.model.device import DEVICES as DEVICES
from nearly.model.device import K40C as K40C
from nearly.model.device import Device as Device
from nearly.model.estimate import PROFILES as PROFILES
from nearly.model.estimate import Estimate as Estimate
from nearly.model.estimate import estimate as estimate
