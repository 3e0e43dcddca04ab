import { unavailable } from '../http/http-errors.ts'
import type { ApiServer } from '../http/serve.ts'
import { registerOfficeImports } from './imports/routes.ts'
import { registerDocumentMedia } from './documents/media.ts'
import type { LoadImporter } from './importer.ts'
import type { Renderer } from '../pages/renderer.ts'
import { registerActivity } from './activity/routes.ts'
import { registerDocuments } from './documents/routes.ts'
import { registerEmails } from './emails/routes.ts'
import { registerNewsletter } from './newsletter/routes.ts'
import { registerOfficeInStep } from './in-step/routes.ts'
import { registerOfficeMembers } from './members/routes.ts'
import { registerOfficeOrders } from './orders/routes.ts'
import { registerGivenTitles } from './people/given-title.ts'
import { registerPeoplesMemberships } from './people/membership-routes.ts'
import { registerOfficePeople } from './people/routes.ts'
import { registerOfficeSearch } from './search/routes.ts'
import { registerOfficeCards } from './cards/routes.ts'
import { registerOfficeCodes } from './codes/routes.ts'
import { registerOfficeProfiles } from './profiles/routes.ts'
import { registerHealth } from './health/routes.ts'
import { registerSales } from './sales/routes.ts'
import { registerSession } from './session/routes.ts'
import { registerSettings } from './settings/routes.ts'
import { registerTeam } from './team/routes.ts'
import { registerOfficeTitles } from './titles/routes.ts'
import { registerToday } from './today/routes.ts'
import { registerViews } from './views/routes.ts'
import { registerOfficeWithdrawals } from './withdrawals/routes.ts'

/** The calls of the office. Like the owner's commands, they use the features' services: there is no second path. */
export function registerOffice(
  server: ApiServer,
  renderer?: Renderer,
  importer: LoadImporter = () => Promise.reject(unavailable(60)),
): void {
  registerSession(server)
  registerOfficeSearch(server)
  registerTeam(server)
  registerActivity(server)
  registerViews(server)
  registerToday(server)
  registerOfficeWithdrawals(server)
  registerOfficeMembers(server)
  registerOfficeOrders(server)
  registerOfficeTitles(server, importer)
  registerOfficeInStep(server)
  registerOfficeImports(server, importer)
  registerDocuments(server, renderer)
  registerDocumentMedia(server, importer)
  registerEmails(server)
  registerNewsletter(server)
  registerOfficePeople(server)
  registerPeoplesMemberships(server)
  registerGivenTitles(server)
  registerSales(server)
  registerHealth(server)
  registerOfficeCodes(server)
  registerOfficeProfiles(server)
  registerOfficeCards(server)
  registerSettings(server)
}
