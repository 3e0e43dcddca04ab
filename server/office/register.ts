import type { ApiServer } from '../http/serve.ts'
import { registerOfficeImports } from './imports/routes.ts'
import type { ImportUploads } from './imports/service.ts'
import type { Renderer } from '../pages/renderer.ts'
import { registerActivity } from './activity/routes.ts'
import { registerDocuments } from './documents/routes.ts'
import { registerEmails } from './emails/routes.ts'
import { registerNewsletter } from './newsletter/routes.ts'
import { registerOfficeMembers } from './members/routes.ts'
import { registerOfficeOrders } from './orders/routes.ts'
import { registerPeoplesMemberships } from './people/membership-routes.ts'
import { registerOfficePeople } from './people/routes.ts'
import { registerSession } from './session/routes.ts'
import { registerTeam } from './team/routes.ts'
import { registerOfficeTitles } from './titles/routes.ts'
import { registerToday } from './today/routes.ts'
import { registerViews } from './views/routes.ts'

/** The calls of the office. Like the owner's commands, they use the features' services: there is no second path. */
export function registerOffice(server: ApiServer, renderer?: Renderer, importUploads?: ImportUploads): void {
  registerSession(server)
  registerTeam(server)
  registerActivity(server)
  registerViews(server)
  registerToday(server)
  registerOfficeMembers(server)
  registerOfficeOrders(server)
  registerOfficeTitles(server)
  registerOfficeImports(server, importUploads)
  registerDocuments(server, renderer)
  registerEmails(server)
  registerNewsletter(server)
  registerOfficePeople(server)
  registerPeoplesMemberships(server)
}
