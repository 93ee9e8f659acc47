"""Routes of the members of a project, and of invitations to it."""

from __future__ import annotations

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestStruct, ResponseStruct
from seamark.team.access.principal import Role, principal_of
from seamark.team.access.rules import in_session, requested_project
from seamark.team.accounts.invitations import (
    Invitation,
    create_invitation,
    open_invitations,
    revoke_invitation,
)
from seamark.team.accounts.members import Member, members_of, set_role
from seamark.team.accounts.users import user_with_id
from seamark.team.addresses import public_address
from seamark.team.database import Transaction
from seamark.team.routes.team_routes import TeamRoutes
from seamark.team.team import Team, record

PROJECT = "/projects/{organisation}/{project}"


class MemberList(ResponseStruct):
    members: list[Member]
    invitations: list[Invitation]


class MemberChange(RequestStruct):
    """`role` null removes the member."""

    user_id: str
    role: Role | None


class NewInvitation(RequestStruct):
    role: Role
    expires_days: float = 7.0


class InvitationLink(ResponseStruct):
    """`link` is shown this once."""

    id: str
    link: str


class InvitationId(RequestStruct):
    id: str


def member_endpoints(team: Team) -> list[Endpoint]:
    routes = MemberRoutes(team)
    return [
        Endpoint(
            path=f"{PROJECT}/members",
            summary="Members of a project, and for its admins open invitations",
            handler=routes.list,
        ),
        Endpoint(
            path=f"{PROJECT}/members",
            method="POST",
            summary="Gives a user a role, or removes a member",
            handler=routes.change,
        ),
        Endpoint(
            path=f"{PROJECT}/invitations",
            method="POST",
            summary="Creates a link that makes one person a member",
            handler=routes.invite,
        ),
        Endpoint(
            path=f"{PROJECT}/invitations/revoke",
            method="POST",
            summary="Ends an invitation",
            handler=routes.revoke,
        ),
    ]


class MemberRoutes(TeamRoutes):
    def list(self, request: ParsedRequest[NoParameters, None]) -> MemberList:
        def find(transaction: Transaction) -> MemberList:
            # Names and addresses of people are not part of what a public project shows.
            project, role = requested_project(transaction, request.http, "viewer", members_only=True)
            return self._listed(transaction, project.id, with_invitations=role == "admin")

        return self._team.read(find)

    def change(self, request: ParsedRequest[NoParameters, MemberChange]) -> MemberList:
        principal, wanted = principal_of(request.http), request.body

        def change(transaction: Transaction) -> MemberList:
            project, _ = requested_project(transaction, request.http, "admin")
            in_session(principal)
            user = user_with_id(transaction, wanted.user_id)
            set_role(transaction, project.id, user.id, wanted.role)
            action = "member.remove" if wanted.role is None else "member.set"
            record(transaction, principal, action, project_id=project.id, target=user.email, role=wanted.role)
            return self._listed(transaction, project.id)

        return self._team.write(change)

    def invite(self, request: ParsedRequest[NoParameters, NewInvitation]) -> InvitationLink:
        principal, wanted, team = principal_of(request.http), request.body, self._team

        def invite(transaction: Transaction) -> InvitationLink:
            project, _ = requested_project(transaction, request.http, "admin")
            user = in_session(principal)
            invitation_id, code = create_invitation(
                transaction,
                project.id,
                wanted.role,
                created_by=user.id,
                expires_days=wanted.expires_days,
                now=team.clock(),
            )
            record(transaction, principal, "invitation.create", project_id=project.id, target=wanted.role)
            return InvitationLink(invitation_id, public_address(team.settings, request.http, f"/invite/{code}"))

        return team.write(invite)

    def revoke(self, request: ParsedRequest[NoParameters, InvitationId]) -> MemberList:
        principal, team = principal_of(request.http), self._team

        def revoke(transaction: Transaction) -> MemberList:
            project, _ = requested_project(transaction, request.http, "admin")
            in_session(principal)
            revoke_invitation(transaction, project.id, request.body.id, team.clock())
            record(transaction, principal, "invitation.revoke", project_id=project.id, target=request.body.id)
            return self._listed(transaction, project.id)

        return team.write(revoke)

    def _listed(self, transaction: Transaction, project_id: str, *, with_invitations: bool = True) -> MemberList:
        invitations = open_invitations(transaction, project_id, self._team.clock()) if with_invitations else []
        return MemberList(members_of(transaction, project_id), invitations)
