import Type, { type Static } from 'typebox'
import { Uuid } from '../atoms.ts'
import { officeEndpoint } from './office-endpoint.ts'

const List = Type.String({ pattern: '^[a-z]{1,30}$' })

export const SavedView = Type.Object({
  id: Uuid,
  name: Type.String(),
  /** The list's address. */
  search: Type.Record(Type.String({ maxLength: 30 }), Type.String({ maxLength: 200 }), { maxProperties: 20 }),
})
export type SavedView = Static<typeof SavedView>

export const listViews = officeEndpoint({
  method: 'GET',
  path: '/api/office/views/{list}',
  summary: 'One’s own saved views of a list',
  may: null,
  params: Type.Object({ list: List }),
  reply: Type.Object({ views: Type.Array(SavedView) }),
})
export const saveView = officeEndpoint({
  method: 'POST',
  path: '/api/office/views/{list}',
  summary: 'Save a view of a list',
  may: null,
  params: Type.Object({ list: List }),
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 40, pattern: String.raw`\S` }),
    search: SavedView.properties.search,
  }),
  status: 201,
  reply: SavedView,
})
export const removeView = officeEndpoint({
  method: 'DELETE',
  path: '/api/office/views/{list}/{id}',
  summary: 'Remove one of one’s own saved views',
  may: null,
  params: Type.Object({ list: List, id: Uuid }),
  status: 204,
})
