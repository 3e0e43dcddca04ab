import type * as account from './account.ts'
import type * as accountAddress from './account-address.ts'
import type * as accountDeletion from './account-deletion.ts'
import type * as accountExport from './account-export.ts'
import type * as bag from './bag.ts'
import type * as bookmarks from './bookmarks.ts'
import type * as buyNow from './buy-now.ts'
import type * as cards from './cards.ts'
import type * as catalogue from './catalogue.ts'
import type * as catalogueIndex from './catalogue-index.ts'
import type * as checkout from './checkout.ts'
import type * as discounts from './discounts.ts'
import type { Endpoint } from './endpoint.ts'
import type * as editorial from './editorial.ts'
import type * as gifts from './gifts.ts'
import type * as givenGifts from './given-gifts.ts'
import type * as highlights from './highlights.ts'
import type * as home from './home.ts'
import type * as inStep from './in-step.ts'
import type * as joining from './joining.ts'
import type * as library from './library.ts'
import type * as lists from './lists.ts'
import type * as listening from './listening.ts'
import type * as membership from './membership.ts'
import type * as membershipChanges from './membership-changes.ts'
import type * as membershipGifts from './membership-gifts.ts'
import type * as officeActivity from './office/activity.ts'
import type * as officeImports from './office/imports.ts'
import type * as officeDocuments from './office/documents.ts'
import type * as officeEmails from './office/emails.ts'
import type * as officeInStep from './office/in-step.ts'
import type * as officeMedia from './office/media.ts'
import type * as officeNewsletter from './office/newsletter.ts'
import type * as officeMembers from './office/members.ts'
import type * as officeOrders from './office/orders.ts'
import type * as officePeople from './office/people.ts'
import type * as officeSearch from './office/search.ts'
import type * as officeCards from './office/cards.ts'
import type * as officeCodes from './office/codes.ts'
import type * as officeProfiles from './office/profiles.ts'
import type * as officeHealth from './office/health.ts'
import type * as officeSales from './office/sales.ts'
import type * as officeSession from './office/session.ts'
import type * as officeSettings from './office/settings.ts'
import type * as officeTeam from './office/team.ts'
import type * as officeTitles from './office/titles.ts'
import type * as officeToday from './office/today.ts'
import type * as officeViews from './office/views.ts'
import type * as officeWithdrawals from './office/withdrawals.ts'
import type * as orders from './orders.ts'
import type * as outlets from './outlets.ts'
import type * as pages from './pages.ts'
import type * as paymentMethods from './payment-methods.ts'
import type * as payments from './payments.ts'
import type * as passkeys from './passkeys.ts'
import type * as people from './people.ts'
import type * as reading from './reading.ts'
import type * as refunds from './refunds.ts'
import type * as search from './search.ts'
import type * as seats from './seats.ts'
import type * as series from './series.ts'
import type * as withdrawals from './withdrawals.ts'

type EndpointsIn<Noun> = Extract<Noun[keyof Noun], Endpoint>

type Every =
  | EndpointsIn<typeof account>
  | EndpointsIn<typeof accountAddress>
  | EndpointsIn<typeof accountDeletion>
  | EndpointsIn<typeof accountExport>
  | EndpointsIn<typeof bag>
  | EndpointsIn<typeof bookmarks>
  | EndpointsIn<typeof buyNow>
  | EndpointsIn<typeof cards>
  | EndpointsIn<typeof catalogue>
  | EndpointsIn<typeof catalogueIndex>
  | EndpointsIn<typeof checkout>
  | EndpointsIn<typeof discounts>
  | EndpointsIn<typeof editorial>
  | EndpointsIn<typeof gifts>
  | EndpointsIn<typeof givenGifts>
  | EndpointsIn<typeof highlights>
  | EndpointsIn<typeof home>
  | EndpointsIn<typeof inStep>
  | EndpointsIn<typeof joining>
  | EndpointsIn<typeof library>
  | EndpointsIn<typeof listening>
  | EndpointsIn<typeof lists>
  | EndpointsIn<typeof membership>
  | EndpointsIn<typeof membershipChanges>
  | EndpointsIn<typeof membershipGifts>
  | EndpointsIn<typeof officeActivity>
  | EndpointsIn<typeof officeImports>
  | EndpointsIn<typeof officeDocuments>
  | EndpointsIn<typeof officeEmails>
  | EndpointsIn<typeof officeInStep>
  | EndpointsIn<typeof officeMedia>
  | EndpointsIn<typeof officeNewsletter>
  | EndpointsIn<typeof officeMembers>
  | EndpointsIn<typeof officeOrders>
  | EndpointsIn<typeof officePeople>
  | EndpointsIn<typeof officeSearch>
  | EndpointsIn<typeof officeCards>
  | EndpointsIn<typeof officeCodes>
  | EndpointsIn<typeof officeProfiles>
  | EndpointsIn<typeof officeHealth>
  | EndpointsIn<typeof officeSales>
  | EndpointsIn<typeof officeSession>
  | EndpointsIn<typeof officeSettings>
  | EndpointsIn<typeof officeTeam>
  | EndpointsIn<typeof officeTitles>
  | EndpointsIn<typeof officeToday>
  | EndpointsIn<typeof officeViews>
  | EndpointsIn<typeof officeWithdrawals>
  | EndpointsIn<typeof orders>
  | EndpointsIn<typeof outlets>
  | EndpointsIn<typeof pages>
  | EndpointsIn<typeof passkeys>
  | EndpointsIn<typeof paymentMethods>
  | EndpointsIn<typeof payments>
  | EndpointsIn<typeof people>
  | EndpointsIn<typeof reading>
  | EndpointsIn<typeof refunds>
  | EndpointsIn<typeof search>
  | EndpointsIn<typeof seats>
  | EndpointsIn<typeof series>
  | EndpointsIn<typeof withdrawals>

/** Every endpoint by name, `GET /api/audio_books`. Only a type, so that no schema gets into the bundle. */
export type Endpoints = { [E in Every as `${E['method']} ${E['path']}`]: E }
export type CallName = keyof Endpoints
