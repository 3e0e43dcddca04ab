import type { ApiServer } from '../http/serve.ts'
import { registerActivity } from './activity/routes.ts'
import { registerSession } from './session/routes.ts'
import { registerTeam } from './team/routes.ts'

/** The calls of the office. Like the owner's commands, they use the features' services: there is no second path. */
export function registerOffice(server: ApiServer): void {
  registerSession(server)
  registerTeam(server)
  registerActivity(server)
}
