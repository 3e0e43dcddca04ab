import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString } from '../atoms.ts'
import { officeEndpoint } from './office-endpoint.ts'

const State = Type.Unsafe<'uploading' | 'reading' | 'found' | 'importing' | 'done' | 'failed'>({
  type: 'string',
  enum: ['uploading', 'reading', 'found', 'importing', 'done', 'failed'],
})

/** What a title's files and the names of its folders say. */
const Said = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 300 }),
  authors: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 50 }),
  /** Null for a title without sound. */
  narrators: nullable(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 50 })),
  series: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 300 }),
      number: nullable(Type.String({ minLength: 1, maxLength: 20 })),
    }),
    { maxItems: 20 },
  ),
})
export type Said = Static<typeof Said>

/** A title of a folder, or a row of a catalogue. */
export const FoundHere = Type.Object({
  /** The folder inside the upload, or the file and line of a row. */
  folder: Type.String(),
  outcome: Type.Unsafe<'created' | 'changed' | 'same' | 'refused'>({
    type: 'string',
    enum: ['created', 'changed', 'same', 'refused'],
  }),
  slug: NullableString,
  /** `Sea Song (audiobook, 3 chapters, 2 h)` */
  about: Type.String(),
  /** What changes, or why it is refused. */
  details: Type.Array(Type.String()),
  /** Fields that stay as they were set here. */
  left: Type.Array(Type.String()),
  notes: Type.Array(Type.String()),
  /** Can be corrected; absent for catalogues and for what could not be read. */
  said: Type.Optional(Said),
})
export type FoundHere = Static<typeof FoundHere>

export const ImportBatch = Type.Object({
  id: Type.String(),
  createdAt: Instant,
  state: State,
  /** No word from the import for minutes: its server ended. It can be started again. */
  isStuck: Type.Boolean(),
  report: Type.Array(FoundHere),
  doneCount: Type.Integer(),
  problem: NullableString,
  /** Files that are here: these are not sent again. */
  received: Type.Array(Type.Object({ path: Type.String(), bytes: Type.Integer() })),
})
export type ImportBatch = Static<typeof ImportBatch>

const Id = Type.Object({ id: Type.String({ format: 'uuid' }) })

export const startImport = officeEndpoint({
  method: 'POST',
  path: '/api/office/imports',
  summary: 'Begin to bring in books: files are then sent to /api/office/uploads by the tus protocol',
  may: 'titles.import',
  reply: Type.Object({ id: Type.String() }),
})
export const latestImport = officeEndpoint({
  method: 'GET',
  path: '/api/office/imports/latest',
  summary: 'The caller’s import that is not done yet',
  may: 'titles.import',
  reply: Type.Object({ batch: nullable(ImportBatch) }),
})
export const getImport = officeEndpoint({
  method: 'GET',
  path: '/api/office/imports/{id}',
  summary: 'What has arrived, what was found, and how far the import is',
  may: 'titles.import',
  params: Id,
  reply: ImportBatch,
})
export const readImport = officeEndpoint({
  method: 'POST',
  path: '/api/office/imports/{id}/read',
  summary: 'Find out what an import would bring; nothing is written',
  may: 'titles.import',
  params: Id,
  reply: Type.Object({}),
})
/** Written into the `book.json` of the uploaded folder, which is then read again. */
export const correctImport = officeEndpoint({
  method: 'POST',
  path: '/api/office/imports/{id}/correct',
  summary: 'Correct what was found or guessed about a title before it is brought in',
  may: 'titles.import',
  params: Id,
  body: Type.Object({ folder: Type.String({ maxLength: 1_000 }), said: Said }),
  reply: Type.Object({}),
})
export const confirmImport = officeEndpoint({
  method: 'POST',
  path: '/api/office/imports/{id}/confirm',
  summary: 'Bring in the titles that were confirmed',
  may: 'titles.import',
  params: Id,
  body: Type.Object({
    folders: Type.Array(Type.String({ maxLength: 1_000 }), { minItems: 1, maxItems: 5_000 }),
  }),
  reply: Type.Object({ what: Type.String() }),
})
export const dropImport = officeEndpoint({
  method: 'DELETE',
  path: '/api/office/imports/{id}',
  summary: 'Throw the uploaded files away',
  may: 'titles.import',
  params: Id,
  status: 204,
})
