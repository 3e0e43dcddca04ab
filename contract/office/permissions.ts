/**
 * What each role may do: the only table of permissions. The server checks it for every endpoint
 * (`may` in `contract/office/office-endpoint.ts`), and the office hides what a role can't open.
 */
export const ROLES = ['owner', 'editor', 'support', 'bookkeeper'] as const
export type Role = (typeof ROLES)[number]

const EVERYONE = ROLES

export const PERMISSIONS = {
  'today.read': EVERYONE,
  'today.act': ['owner', 'support'],
  'search.use': EVERYONE,
  'orders.read': ['owner', 'support', 'bookkeeper'],
  'orders.change': ['owner', 'support'],
  'orders.refund': ['owner', 'support'],
  'orders.export': ['owner', 'bookkeeper'],
  'people.read': ['owner', 'support'],
  'people.change': ['owner', 'support'],
  'people.close': ['owner'],
  'people.export': ['owner'],
  'members.read': ['owner', 'support', 'bookkeeper'],
  'members.change': ['owner', 'support'],
  'titles.read': ['owner', 'editor', 'support'],
  'titles.change': ['owner', 'editor'],
  'titles.import': ['owner', 'editor'],
  'pages.read': ['owner', 'editor'],
  'pages.change': ['owner', 'editor'],
  'cards.read': ['owner', 'support', 'bookkeeper'],
  'cards.change': ['owner'],
  'codes.read': ['owner', 'editor', 'support'],
  'codes.change': ['owner', 'editor'],
  'emails.read': ['owner', 'support'],
  'emails.send': ['owner', 'support'],
  'newsletter.write': ['owner', 'editor'],
  'newsletter.send': ['owner'],
  'sales.read': ['owner', 'bookkeeper'],
  'sales.export': ['owner', 'bookkeeper'],
  'settings.read': ['owner'],
  'settings.change': ['owner'],
  'health.read': ['owner'],
  'health.act': ['owner'],
  'team.read': ['owner'],
  'team.change': ['owner'],
  'activity.read': ['owner'],
  'activity.export': ['owner'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Permission = keyof typeof PERMISSIONS

export function roleMay(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = PERMISSIONS[permission]
  return roles.includes(role)
}

/** The highest refund in pence that a role may make at once; undefined for no limit. */
export const REFUND_LIMIT_MINOR: Readonly<Partial<Record<Role, number>>> = { support: 50_00 }

export const ROLE_WORDS: Readonly<Record<Role, { readonly name: string; readonly does: string }>> = {
  owner: { name: 'Owner', does: 'everything' },
  editor: { name: 'Editor', does: 'titles, home page, journal' },
  support: { name: 'Support', does: 'people, orders, refunds up to £50' },
  bookkeeper: { name: 'Bookkeeper', does: 'sales and VAT, read only' },
}
