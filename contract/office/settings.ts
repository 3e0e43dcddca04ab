import Type, { type Static } from 'typebox'
import { nullable, NullableString } from '../atoms.ts'
import { ShopFile } from '../shop-details.ts'
import { AnyObject, officeEndpoint } from './office-endpoint.ts'

const Version = Type.String({ maxLength: 40 })
/** `#1F3D43`, or what is being typed. */
const Colour = Type.Optional(Type.String({ maxLength: 20 }))

/** What only the operator can set, in the server's environment. */
export const ServerSetting = Type.Object({
  name: Type.String(),
  what: Type.String(),
  /** What it is set to; null if it is not set. Secrets are only said to be there. */
  value: NullableString,
})
export type ServerSetting = Static<typeof ServerSetting>

export const Settings = Type.Object({
  /** Of `shop.json`; a change names the one that it was made from. */
  version: Version,
  file: Type.Unsafe<ShopFile>(AnyObject),
  logoUrl: NullableString,
  server: Type.Array(ServerSetting),
})
export type Settings = Static<typeof Settings>

export const getSettings = officeEndpoint({
  method: 'GET',
  path: '/api/office/settings',
  summary: 'What shop.json says, and what only the server’s environment can',
  may: 'settings.read',
  reply: Settings,
})
const Changed = Type.Object({ entry: nullable(Type.Integer()), what: Type.String() })
export const changeSettings = officeEndpoint({
  method: 'PATCH',
  path: '/api/office/settings',
  summary: 'Change keys of shop.json; null removes one',
  may: 'settings.change',
  body: Type.Object({ version: Version, changes: AnyObject }),
  reply: Changed,
})

const Which = Type.Object({ which: Type.Unsafe<'logo' | 'icon'>({ type: 'string', enum: ['logo', 'icon'] }) })
const LARGEST_PICTURE = 2_000_000
export const setPicture = officeEndpoint({
  method: 'PUT',
  path: '/api/office/settings/pictures/{which}',
  summary: 'Set the logo or the icon',
  may: 'settings.change',
  params: Which,
  body: Type.Object({
    version: Version,
    type: Type.Unsafe<'svg' | 'png'>({ type: 'string', enum: ['svg', 'png'] }),
    base64: Type.String({
      minLength: 1,
      maxLength: Math.ceil(LARGEST_PICTURE / 3) * 4,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
    }),
  }),
  largestBody: LARGEST_PICTURE * 2,
  reply: Changed,
})

export const previewColours = officeEndpoint({
  method: 'POST',
  path: '/api/office/settings/colours',
  summary: 'Whether three colours can be read, and the tokens that follow from them',
  may: 'settings.read',
  body: Type.Object({ paper: Colour, accent: Colour, button: Colour }),
  reply: Type.Object({
    faults: Type.Array(Type.Object({ which: Type.String(), says: Type.String(), nearest: NullableString })),
    /** By the name of the token: its colour by day and at night. Empty while a colour can’t be read. */
    tokens: Type.Unsafe<Record<string, readonly [light: string, dark: string]>>(AnyObject),
  }),
})
