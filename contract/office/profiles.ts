import Type, { type Static } from 'typebox'
import { nullable, NullableString } from '../atoms.ts'
import { LIST_QUERY, officeEndpoint, officePage } from './office-endpoint.ts'

export const PROFILE_KINDS = ['person', 'publisher'] as const
export type ProfileKind = (typeof PROFILE_KINDS)[number]
const Kind = Type.Unsafe<ProfileKind>({ type: 'string', enum: [...PROFILE_KINDS] })

/** What the page of an author, narrator or publisher says about them. */
export const Profile = Type.Object({
  kind: Kind,
  id: Type.Integer(),
  name: Type.String(),
  /** The page in the shop; null for a person without one. */
  path: NullableString,
  /** Titles that are not drafts; each format counts. */
  titles: Type.Integer(),
  about: NullableString,
  /** Of publishers only. */
  website: NullableString,
  /** What the folder or the catalogue says, which an owner's words replace. */
  folder: Type.Object({ about: NullableString, website: NullableString }),
  /** Whether a value was set in the office. */
  isSetHere: Type.Boolean(),
})
export type Profile = Static<typeof Profile>

const FILTERS = {
  words: Type.Optional(Type.String({ maxLength: 100 })),
  kind: Type.Optional(Kind),
  /** `none`: those without words about them. */
  about: Type.Optional(Type.Literal('none')),
} as const

export const listProfiles = officeEndpoint({
  method: 'GET',
  path: '/api/office/profiles',
  summary: 'Authors, narrators and publishers, with what their pages say',
  may: 'titles.read',
  query: Type.Object({ ...LIST_QUERY, ...FILTERS }),
  reply: officePage(Profile, Type.Object({})),
})
export const exportProfiles = officeEndpoint({
  method: 'GET',
  path: '/api/office/profiles/export',
  summary: 'The authors, narrators and publishers of a list as CSV',
  may: 'titles.read',
  fresh: true,
  query: Type.Object(FILTERS),
})

const ProfileOf = Type.Object({ kind: Kind, id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) })
export const getProfile = officeEndpoint({
  method: 'GET',
  path: '/api/office/profiles/{kind}/{id}',
  summary: 'What one page of an author, narrator or publisher says',
  may: 'titles.read',
  params: ProfileOf,
  reply: Profile,
})
/** A union with null would make null an empty text, because requests are coerced. */
const ownText = (maxLength: number) => Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength })

/** Null: the page shows the folder's text. An empty text: the page shows none. */
export const changeProfile = officeEndpoint({
  method: 'PUT',
  path: '/api/office/profiles/{kind}/{id}',
  summary: 'Change what the page of an author, narrator or publisher says',
  may: 'titles.change',
  params: ProfileOf,
  body: Type.Object({
    about: ownText(2_000),
    website: ownText(300),
  }),
  reply: Type.Object({ entry: nullable(Type.Integer()), what: Type.String() }),
})
