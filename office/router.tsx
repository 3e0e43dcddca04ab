import {
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
const title = createRoute({
  getParentRoute: () => shell,
  path: '/titles/$slug',
  component: lazyRouteComponent(() => import('./screens/titles/Title.tsx'), 'Title'),
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

const routeTree = root.addChildren([
  signIn,
  welcome,
  shell.addChildren([
    start,
    today,
    orders,
    order.addChildren([refund]),
    titles.addChildren([titlePrices, titleStates]),
    titleImport,
    title,
    you,
    more,
    activity,
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
