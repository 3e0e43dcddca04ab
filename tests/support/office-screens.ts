/** What addresses are made of: one of each that the demo has. */
export interface OfficeThings {
  readonly order: string
  readonly person: string
  readonly personEmail: string
  readonly slug: string
  readonly titles: string
  readonly batch: string
  /** `person/12` */
  readonly profile: string
  readonly bookshop: string
  readonly staff: string
  readonly piece: string
  readonly unsent: string
  readonly withdrawal: () => Promise<string>
}

interface OfficeScreen {
  /** Its path in `office/router.tsx`. */
  readonly route: string
  readonly at?: (things: OfficeThings) => string | Promise<string>
}

const here = (...routes: string[]): OfficeScreen[] => routes.map((route) => ({ route }))

/** Every route of the office for staff, to be checked for accessibility: `office/router.test.ts`. */
export const OFFICE_SCREENS: readonly OfficeScreen[] = [
  ...here(
    '/today',
    '/orders',
    '/people',
    '/members',
    '/members/give',
    '/emails',
    '/titles',
    '/titles/import',
    '/titles/months',
  ),
  ...here('/home-page', '/home-page/look', '/home-page/history', '/home-page/schedule'),
  ...here('/journal', '/journal/new', '/pages', '/pages/new', '/newsletter', '/newsletter/history'),
  ...here(
    '/cards',
    '/cards/make',
    '/cards/bookshops/new',
    '/codes',
    '/codes/new',
    '/profiles',
    '/sales',
    '/sales/rights-holders',
  ),
  ...here('/settings', '/team', '/team/invite', '/health', '/activity', '/you', '/more'),
  { route: '/orders/$number', at: ({ order }) => `/orders/${order}` },
  { route: '/orders/$number/refund', at: ({ order }) => `/orders/${order}/refund` },
  { route: '/orders/$number/assign', at: ({ order }) => `/orders/${order}/assign` },
  { route: '/titles/prices', at: ({ titles }) => `/titles/prices?ids=${titles}` },
  { route: '/titles/states', at: ({ titles }) => `/titles/states?ids=${titles}` },
  ...['', '/history'].map((drawer) => ({
    route: `/titles/months/$key${drawer}`,
    at: () => `/titles/months/2027-02${drawer}`,
  })),
  { route: '/titles/$slug', at: ({ slug }) => `/titles/${slug}` },
  { route: '/titles/$slug/delete', at: ({ slug }) => `/titles/${slug}/delete` },
  { route: '/people/$id', at: ({ person }) => `/people/${person}` },
  ...['audiobook', 'title', 'view', 'membership', 'end', 'address', 'block', 'close'].map((act) => ({
    route: '/people/$id/$act',
    at: ({ person }: OfficeThings) => `/people/${person}/${act}`,
  })),
  {
    route: '/people/$id/emails/$mail',
    at: ({ person, personEmail }) => `/people/${person}/emails/${personEmail}`,
  },
  { route: '/home-page/$section', at: () => '/home-page/currentHighlights' },
  { route: '/emails/$kind', at: () => '/emails/order_confirmed' },
  { route: '/emails/waiting/$id', at: ({ unsent }) => `/emails/waiting/${unsent}` },
  ...['', '/details', '/history', '/schedule'].map((drawer) => ({
    route: `/journal/$kind/$key${drawer}`,
    at: ({ piece }: OfficeThings) => `/journal/${piece}${drawer}`,
  })),
  ...['', '/history', '/schedule'].map((drawer) => ({
    route: `/pages/$kind/$key${drawer}`,
    at: () => `/pages/page/about${drawer}`,
  })),
  { route: '/pages/$kind/$key', at: () => '/pages/faq/faq' },
  { route: '/pages/$kind/$key', at: () => '/pages/menus/menus' },
  { route: '/profiles/$kind/$id', at: ({ profile }) => `/profiles/${profile}` },
  { route: '/cards/batches/$id', at: ({ batch }) => `/cards/batches/${batch}` },
  { route: '/cards/bookshops/$slug', at: ({ bookshop }) => `/cards/bookshops/${bookshop}` },
  { route: '/team/$id', at: ({ staff }) => `/team/${staff}` },
  // Last, because the shop takes up to a minute until it lists the statement.
  {
    route: '/today/withdrawals/$id',
    at: async ({ withdrawal }) => `/today/withdrawals/${await withdrawal()}`,
  },
]

/** Routes that every visitor can open, and the journey that checks them. */
export const OFFICE_THRESHOLD: Readonly<Record<string, string>> = {
  '/sign-in': 'office-access',
  '/welcome': 'office-access',
}
