"""Profile: where the time and the memory of a training step go."""

from __future__ import annotations

from seamark.plugin import Context, Dashboard, Endpoint, ErrorCase
from seamark.plugin.service_routes import routes_of

ERRORS = {
    404: ErrorCase("There is no such profile, step or slice."),
    413: ErrorCase("The area has too many slices to export."),
    422: ErrorCase("The profile cannot be read."),
}


def has_data(context: Context) -> bool:
    """Whether a log directory has a profile."""
    from seamark.dashboards.profile.library import has_profiles

    return has_profiles(context.roots, context.store)


def routes(context: Context) -> list[Endpoint]:
    from seamark.dashboards.profile.service import ProfileService, profile_errors

    return routes_of(ProfileService(context), errors=ERRORS, within=profile_errors)


dashboard = Dashboard(name="profile", title="Profile", order=130, has_data=has_data, routes=routes)
