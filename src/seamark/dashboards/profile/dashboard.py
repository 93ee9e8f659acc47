"""Profile: where the time and the memory of a training step go."""

from __future__ import annotations

from seamark.dashboards.profile.routes import endpoints
from seamark.plugin import Context, Dashboard


def has_data(context: Context) -> bool:
    """Whether a log directory has a profile."""
    from seamark.dashboards.profile.library import has_profiles

    return has_profiles(context.roots, context.store)


dashboard = Dashboard(name="profile", title="Profile", order=130, has_data=has_data, routes=endpoints)
