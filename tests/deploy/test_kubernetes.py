"""The Kubernetes manifest: valid by Kubernetes' schemas, and in accord with Winnow itself."""

from __future__ import annotations

import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from winnow.config.feature_settings import FeatureSettings
from winnow.config.server_settings import Server
from winnow.config.setting_list import entries
from winnow.config.sources.source_precedence import load
from winnow.feature_list import sections_of
from winnow.proxy.tls.authority import FILE_NAME, ensure_authority, shared_authority
from winnow.proxy.tls.tls_errors import AuthorityError

TEXT = (Path(__file__).parents[2] / "deploy" / "kubernetes.yaml").read_text()
RESOURCES: dict[str, Any] = {each["kind"]: each for each in yaml.safe_load_all(TEXT)}
POD = RESOURCES["Deployment"]["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]


@pytest.mark.parametrize("kind", RESOURCES)
@pytest.mark.parametrize("version", ["1.29", "1.37"])
def test_kubernetes_schemas_accept_it(kind: str, version: str) -> None:
    kubernetes_validate.validate(RESOURCES[kind], version, strict=True)


def test_the_schemas_refuse_a_wrong_word() -> None:
    wrong = deepcopy(RESOURCES["Deployment"])
    wrong["spec"]["template"]["spec"]["containers"][0]["readynessProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, "1.37", strict=True)


def test_it_has_what_a_rolling_update_needs() -> None:
    kinds = {"Deployment", "Service", "PodDisruptionBudget", "HorizontalPodAutoscaler"}
    assert kinds <= set(RESOURCES)
    labels = POD["metadata"]["labels"].items()
    for kind in ("Deployment", "PodDisruptionBudget"):
        assert RESOURCES[kind]["spec"]["selector"]["matchLabels"].items() <= labels
    assert RESOURCES["Service"]["spec"]["selector"].items() <= labels
    assert RESOURCES["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]["name"] == "winnow"


def test_the_settings_are_valid_and_fit_the_pod(tmp_path: Path) -> None:
    file = tmp_path / "winnow.toml"
    file.write_text(RESOURCES["ConfigMap"]["data"]["winnow.toml"])
    variables = {each["name"]: "redis://127.0.0.1/0" for each in CONTAINER["env"]}
    settings = load(file, variables, of_features=sections_of).settings
    server: Server = settings.server
    grace = POD["spec"]["terminationGracePeriodSeconds"]
    assert grace > server.drain + server.shutdown_grace + 5
    probe = CONTAINER["readinessProbe"]
    seen = probe["periodSeconds"] * probe["failureThreshold"]
    assert server.drain > seen  # requests still come until the endpoints are without the pod
    assert CONTAINER["ports"][0]["containerPort"] == server.port
    assert settings.access.private_addresses == "nobody"
    cached = settings.cache.memory + settings.cache.renderings
    processes = server.processes * 230e6 + settings.extraction.processes * 70e6
    most = (cached + processes + settings.extraction.max_memory) / 1024**3
    assert most < float(CONTAINER["resources"]["limits"]["memory"].removesuffix("Gi"))


def test_all_pods_share_the_authority_of_a_secret(tmp_path: Path) -> None:
    """Each had one of its own: a browser that trusts one refuses what another pod signs."""
    file = tmp_path / "winnow.toml"
    file.write_text(RESOURCES["ConfigMap"]["data"]["winnow.toml"])
    authority = load(file, {}).settings.interception.authority
    (mount,) = (each for each in CONTAINER["volumeMounts"] if each["name"] == "authority")
    assert authority == Path(mount["mountPath"], FILE_NAME)
    (volume,) = (each for each in POD["spec"]["volumes"] if each["name"] == "authority")
    secret = volume["secret"]
    assert f"create secret generic {secret['secretName']} --from-file={FILE_NAME}" in TEXT
    mounted = tmp_path / "..data"  # as the kubelet lays it: a link to root's file, its group's too
    mounted.write_bytes(made_authority())
    mounted.chmod(secret["defaultMode"])
    (tmp_path / FILE_NAME).symlink_to(mounted)
    assert shared_authority(tmp_path / FILE_NAME).certificate
    mounted.chmod(0o444)
    with pytest.raises(AuthorityError, match="Others can read"):
        shared_authority(tmp_path / FILE_NAME)


def made_authority() -> bytes:
    """The file that ``winnow ca show`` makes."""
    with tempfile.TemporaryDirectory() as folder:
        ensure_authority(Path(folder), "host")
        return Path(folder, FILE_NAME).read_bytes()


def test_the_variables_are_settings() -> None:
    names = {
        each["name"].removeprefix("WINNOW_").replace("__", ".").lower() for each in CONTAINER["env"]
    }
    assert names == {"storage.redis", "cache.redis", "learning.redis"} & set(
        entries(sections_of(FeatureSettings()))
    )


def test_the_pod_may_do_little() -> None:
    security = CONTAINER["securityContext"]
    assert security["capabilities"] == {"drop": ["ALL"]}
    assert security["readOnlyRootFilesystem"]
    assert not security["allowPrivilegeEscalation"]
    assert POD["spec"]["securityContext"]["runAsNonRoot"]
    dockerfile = (Path(__file__).parents[2] / "Dockerfile").read_text()
    assert f"USER {POD['spec']['securityContext']['runAsUser']}" in dockerfile
    assert not POD["spec"]["automountServiceAccountToken"]


def test_the_autoscaler_reads_a_metric_that_is_exported() -> None:
    (metric,) = RESOURCES["HorizontalPodAutoscaler"]["spec"]["metrics"]
    assert metric["pods"]["metric"]["name"] == "winnow_pool_waiting"
    assert metric["pods"]["target"]["type"] == "AverageValue"
