import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import { roleMay } from '#contract/office/permissions.ts'
import { NetProblem } from '#net/problem.ts'
import { meQuery } from './net/me.ts'
import { queryClient } from './net/query-client.ts'
import { PLACES } from './shell/places.ts'
import { Shell } from './shell/Shell.tsx'
import { FailedPage, MissingPage } from './shell/problems.tsx'

/** Every value in the address is text, as a person would write it: `?state=refunded&sort=-total`. */
export type Search = Readonly<Record<string, string>>

const root = createRootRoute({
  component: Outlet,
  errorComponent: FailedPage,
  notFoundComponent: MissingPage,
  validateSearch: (search): Search =>
    Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)])),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./screens/sign-in/SignIn.tsx'), 'SignIn'),
})
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./screens/welcome/Welcome.tsx'), 'Welcome'),
})

/** All screens inside the shell, for signed-in staff. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  errorComponent: FailedPage,
  beforeLoad: async ({ location }) => {
    try {
      return { me: await queryClient.ensureQueryData(meQuery) }
    } catch (problem) {
      if (!(problem instanceof NetProblem) || problem.status !== 401) throw problem
      throw redirect({ to: '/sign-in', search: { next: location.href } })
    }
  },
})

const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    const first = PLACES.find(({ may }) => may === null || roleMay(me.role, may))
    throw redirect({ to: first?.to ?? '/you', replace: true })
  },
})

const today = createRoute({
  getParentRoute: () => shell,
  path: '/today',
  component: lazyRouteComponent(() => import('./screens/today/Today.tsx'), 'Today'),
})
const withdrawal = createRoute({
  getParentRoute: () => today,
  path: 'withdrawals/$id',
  component: lazyRouteComponent(() => import('./screens/today/Withdrawal.tsx'), 'WithdrawalDrawer'),
})
const orders = createRoute({
  getParentRoute: () => shell,
  path: '/orders',
  component: lazyRouteComponent(() => import('./screens/orders/Orders.tsx'), 'Orders'),
})
const order = createRoute({
  getParentRoute: () => shell,
  path: '/orders/$number',
  component: lazyRouteComponent(() => import('./screens/orders/Order.tsx'), 'Order'),
})
const refund = createRoute({
  getParentRoute: () => order,
  path: 'refund',
  component: lazyRouteComponent(() => import('./screens/orders/Refund.tsx'), 'RefundDrawer'),
})
const titles = createRoute({
  getParentRoute: () => shell,
  path: '/titles',
  component: lazyRouteComponent(() => import('./screens/titles/Titles.tsx'), 'Titles'),
})
const titlePrices = createRoute({
  getParentRoute: () => titles,
  path: 'prices',
  component: lazyRouteComponent(() => import('./screens/titles/PricesDrawer.tsx'), 'PricesDrawer'),
})
const titleStates = createRoute({
  getParentRoute: () => titles,
  path: 'states',
  component: lazyRouteComponent(() => import('./screens/titles/StatesDrawer.tsx'), 'StatesDrawer'),
})
const titleImport = createRoute({
  getParentRoute: () => shell,
  path: '/titles/import',
  component: lazyRouteComponent(() => import('./screens/import/Import.tsx'), 'Import'),
})
const months = createRoute({
  getParentRoute: () => shell,
  path: '/titles/months',
  component: lazyRouteComponent(() => import('./screens/months/Months.tsx'), 'Months'),
})
const month = createRoute({
  getParentRoute: () => shell,
  path: '/titles/months/$key',
  component: lazyRouteComponent(() => import('./screens/months/Month.tsx'), 'Month'),
})
const title = createRoute({
  getParentRoute: () => shell,
  path: '/titles/$slug',
  component: lazyRouteComponent(() => import('./screens/titles/Title.tsx'), 'Title'),
})
const titleDelete = createRoute({
  getParentRoute: () => title,
  path: 'delete',
  component: lazyRouteComponent(() => import('./screens/titles/DeleteTitle.tsx'), 'DeleteTitle'),
})

const assignRefund = createRoute({
  getParentRoute: () => order,
  path: 'assign',
  component: lazyRouteComponent(() => import('./screens/orders/AssignRefund.tsx'), 'AssignRefund'),
})
const people = createRoute({
  getParentRoute: () => shell,
  path: '/people',
  component: lazyRouteComponent(() => import('./screens/people/People.tsx'), 'People'),
})
const person = createRoute({
  getParentRoute: () => shell,
  path: '/people/$id',
  component: lazyRouteComponent(() => import('./screens/people/Person.tsx'), 'PersonPage'),
})
const members = createRoute({
  getParentRoute: () => shell,
  path: '/members',
  component: lazyRouteComponent(() => import('./screens/people/Members.tsx'), 'Members'),
})
const giveMembership = createRoute({
  getParentRoute: () => members,
  path: 'give',
  component: lazyRouteComponent(() => import('./screens/people/GiveMembership.tsx'), 'GiveMembership'),
})
const personAct = createRoute({
  getParentRoute: () => person,
  path: '$act',
  component: lazyRouteComponent(() => import('./screens/people/PersonDrawer.tsx'), 'PersonDrawer'),
})
const personEmail = createRoute({
  getParentRoute: () => person,
  path: 'emails/$mail',
  component: lazyRouteComponent(() => import('./screens/people/PersonEmail.tsx'), 'PersonEmail'),
})

const cards = createRoute({
  getParentRoute: () => shell,
  path: '/cards',
  component: lazyRouteComponent(() => import('./screens/cards/Cards.tsx'), 'Cards'),
})
const makeCards = createRoute({
  getParentRoute: () => cards,
  path: 'make',
  component: lazyRouteComponent(() => import('./screens/cards/MakeCards.tsx'), 'MakeCards'),
})
const batch = createRoute({
  getParentRoute: () => cards,
  path: 'batches/$id',
  component: lazyRouteComponent(() => import('./screens/cards/Batch.tsx'), 'BatchDrawer'),
})
const addBookshop = createRoute({
  getParentRoute: () => cards,
  path: 'bookshops/new',
  component: lazyRouteComponent(() => import('./screens/cards/Bookshop.tsx'), 'AddBookshop'),
})
const bookshop = createRoute({
  getParentRoute: () => cards,
  path: 'bookshops/$slug',
  component: lazyRouteComponent(() => import('./screens/cards/Bookshop.tsx'), 'BookshopDrawer'),
})
const codes = createRoute({
  getParentRoute: () => shell,
  path: '/codes',
  component: lazyRouteComponent(() => import('./screens/codes/Codes.tsx'), 'Codes'),
})
const newCode = createRoute({
  getParentRoute: () => codes,
  path: 'new',
  component: lazyRouteComponent(() => import('./screens/codes/NewCode.tsx'), 'NewCode'),
})
const profiles = createRoute({
  getParentRoute: () => shell,
  path: '/profiles',
  component: lazyRouteComponent(() => import('./screens/profiles/Profiles.tsx'), 'Profiles'),
})
const profile = createRoute({
  getParentRoute: () => profiles,
  path: '$kind/$id',
  component: lazyRouteComponent(() => import('./screens/profiles/ProfileDrawer.tsx'), 'ProfileDrawer'),
})
const sales = createRoute({
  getParentRoute: () => shell,
  path: '/sales',
  component: lazyRouteComponent(() => import('./screens/sales/Sales.tsx'), 'Sales'),
})
const rightsHolders = createRoute({
  getParentRoute: () => shell,
  path: '/sales/rights-holders',
  component: lazyRouteComponent(() => import('./screens/sales/RightsHolders.tsx'), 'RightsHolders'),
})

const health = createRoute({
  getParentRoute: () => shell,
  path: '/health',
  component: lazyRouteComponent(() => import('./screens/health/Health.tsx'), 'Health'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/settings/Settings.tsx'), 'Settings'),
})

const you = createRoute({
  getParentRoute: () => shell,
  path: '/you',
  component: lazyRouteComponent(() => import('./screens/you/You.tsx'), 'You'),
})
const more = createRoute({
  getParentRoute: () => shell,
  path: '/more',
  component: lazyRouteComponent(() => import('./screens/more/More.tsx'), 'More'),
})
const team = createRoute({
  getParentRoute: () => shell,
  path: '/team',
  component: lazyRouteComponent(() => import('./screens/team/Team.tsx'), 'Team'),
})
const invite = createRoute({
  getParentRoute: () => team,
  path: 'invite',
  component: lazyRouteComponent(() => import('./screens/team/Invite.tsx'), 'Invite'),
})
const colleague = createRoute({
  getParentRoute: () => team,
  path: '$id',
  component: lazyRouteComponent(() => import('./screens/team/Colleague.tsx'), 'ColleagueDrawer'),
})
const activity = createRoute({
  getParentRoute: () => shell,
  path: '/activity',
  component: lazyRouteComponent(() => import('./screens/team/Activity.tsx'), 'Activity'),
})

const historyOf = <Parent extends AnyRoute>(parent: Parent) =>
  createRoute({
    getParentRoute: () => parent,
    path: 'history',
    component: lazyRouteComponent(() => import('./documents/HistoryDrawer.tsx'), 'HistoryDrawer'),
  })
const drawers = <Parent extends AnyRoute>(parent: Parent) => [
  historyOf(parent),
  createRoute({
    getParentRoute: () => parent,
    path: 'schedule',
    component: lazyRouteComponent(() => import('./documents/ScheduleDrawer.tsx'), 'ScheduleDrawer'),
  }),
]
const journal = createRoute({
  getParentRoute: () => shell,
  path: '/journal',
  component: lazyRouteComponent(() => import('./screens/journal/Journal.tsx'), 'Journal'),
})
const newPiece = createRoute({
  getParentRoute: () => journal,
  path: 'new',
  component: lazyRouteComponent(() => import('./screens/journal/NewPiece.tsx'), 'NewPiece'),
})
const piece = createRoute({
  getParentRoute: () => shell,
  path: '/journal/$kind/$key',
  component: lazyRouteComponent(() => import('./screens/journal/Piece.tsx'), 'Piece'),
})
const pieceDetails = createRoute({
  getParentRoute: () => piece,
  path: 'details',
  component: lazyRouteComponent(() => import('./screens/journal/Details.tsx'), 'Details'),
})
const pages = createRoute({
  getParentRoute: () => shell,
  path: '/pages',
  component: lazyRouteComponent(() => import('./screens/pages/Pages.tsx'), 'Pages'),
})
const newPage = createRoute({
  getParentRoute: () => pages,
  path: 'new',
  component: lazyRouteComponent(() => import('./screens/pages/NewPage.tsx'), 'NewPage'),
})
const page = createRoute({
  getParentRoute: () => shell,
  path: '/pages/$kind/$key',
  component: lazyRouteComponent(() => import('./screens/pages/PageEditor.tsx'), 'PageEditor'),
})

const homePage = createRoute({
  getParentRoute: () => shell,
  path: '/home-page',
  component: lazyRouteComponent(() => import('./screens/home-page/HomePage.tsx'), 'HomePage'),
})
const homeLook = createRoute({
  getParentRoute: () => homePage,
  path: 'look',
  component: lazyRouteComponent(() => import('./screens/home-page/LookDrawer.tsx'), 'LookDrawer'),
})
const homePanel = createRoute({
  getParentRoute: () => homePage,
  path: '$section',
  component: lazyRouteComponent(() => import('./screens/home-page/PanelDrawer.tsx'), 'PanelDrawer'),
})

const emails = createRoute({
  getParentRoute: () => shell,
  path: '/emails',
  component: lazyRouteComponent(() => import('./screens/emails/Emails.tsx'), 'Emails'),
})
const email = createRoute({
  getParentRoute: () => emails,
  path: '$kind',
  component: lazyRouteComponent(() => import('./screens/emails/EmailDrawer.tsx'), 'EmailDrawer'),
})
const unsentEmail = createRoute({
  getParentRoute: () => emails,
  path: 'waiting/$id',
  component: lazyRouteComponent(() => import('./screens/emails/UnsentDrawer.tsx'), 'UnsentDrawer'),
})
const newsletter = createRoute({
  getParentRoute: () => shell,
  path: '/newsletter',
  component: lazyRouteComponent(() => import('./screens/newsletter/Newsletter.tsx'), 'Newsletter'),
})

const routeTree = root.addChildren([
  signIn,
  welcome,
  shell.addChildren([
    start,
    today.addChildren([withdrawal]),
    orders,
    titles.addChildren([titlePrices, titleStates]),
    titleImport,
    months,
    month.addChildren([historyOf(month)]),
    title.addChildren([titleDelete]),
    order.addChildren([refund, assignRefund]),
    people,
    members.addChildren([giveMembership]),
    person.addChildren([personAct, personEmail]),
    cards.addChildren([makeCards, batch, addBookshop, bookshop]),
    codes.addChildren([newCode]),
    profiles.addChildren([profile]),
    sales,
    rightsHolders,
    health,
    settings,
    you,
    more,
    activity,
    homePage.addChildren([homeLook, homePanel, ...drawers(homePage)]),
    emails.addChildren([email, unsentEmail]),
    newsletter.addChildren([historyOf(newsletter)]),
    journal.addChildren([newPiece]),
    piece.addChildren([pieceDetails, ...drawers(piece)]),
    pages.addChildren([newPage]),
    page.addChildren(drawers(page)),
    team.addChildren([invite, colleague]),
  ]),
])

export const createOfficeRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    basepath: '/office',
    ...(history && { history }),
    defaultPreload: 'intent',
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: MissingPage,
    scrollRestoration: true,
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
      return text && `?${text.replaceAll('%2C', ',')}`
    },
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createOfficeRouter>
  }
}
