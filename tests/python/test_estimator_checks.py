# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's own checks of an estimator: all of them, none expected to fail, none skipped."""

import warnings

import pytest

import mbn

sklearn = pytest.importorskip("sklearn")

from sklearn.utils import estimator_checks  # noqa: E402

NEW = hasattr(estimator_checks, "estimator_checks_generator")
ESTIMATORS = [mbn.MBN(), mbn.MBNClustering(), mbn.MBNMap(), mbn.Lsa(), mbn.MBN(missing="partial")]


def checks(estimator):
    if NEW:
        return list(estimator_checks.estimator_checks_generator(estimator))
    return list(estimator_checks.check_estimator(estimator, generate_only=True))


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_check_estimator(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = estimator_checks.check_estimator(estimator)
    if NEW:
        assert {result["status"] for result in results} == {"passed"}
        assert len(results) >= 40


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_every_check_by_itself(estimator):
    """A check that raises SkipTest did not check anything."""
    for instance, check in checks(estimator):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check(instance)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_no_failure_is_expected(estimator):
    if NEW:
        from sklearn.utils import get_tags
        assert not getattr(get_tags(estimator), "_skip_test", False)
    else:
        tags = estimator._get_tags()
        assert not tags["_skip_test"] and not tags["_xfail_checks"]


# scikit-learn runs these on its own transformers; before 1.6 check_estimator left some of them out.
FURTHER = ["check_n_features_in_after_fitting", "check_dataframe_column_names_consistency",
           "check_transformer_get_feature_names_out",
           "check_transformer_get_feature_names_out_pandas", "check_set_output_transform",
           "check_set_output_transform_pandas", "check_set_output_transform_polars",
           "check_global_output_transform_pandas", "check_global_set_output_transform_polars"]


@pytest.mark.parametrize("name", FURTHER)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_further_checks(estimator, name):
    if "polars" in name:
        pytest.importorskip("polars")
    check = getattr(estimator_checks, name, None)
    if check is None:
        assert not NEW and ("polars" in name or "global" in name), f"{name} is gone"
        pytest.skip(f"scikit-learn {sklearn.__version__} has no {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(type(estimator).__name__, estimator)


def test_the_checks_are_those_we_know():
    """The generator gives scikit-learn's checks for transformers and for clusterers."""
    names = {check.func.__name__ for estimator in ESTIMATORS for _, check in checks(estimator)}
    assert {"check_transformer_general", "check_clustering", "check_estimators_pickle",
            "check_estimators_nan_inf", "check_fit2d_1sample", "check_dict_unchanged"} <= names
