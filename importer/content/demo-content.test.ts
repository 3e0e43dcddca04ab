import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { FolderStore } from '#server/integrations/media/folder-store.ts'
import { testDatabase } from '#tests/support/database.ts'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'
import type { TitleReport } from '../run.ts'
import { importContent, importVocabularies } from './run.ts'

let database: OpenDatabase
let reports: TitleReport[]

beforeAll(async () => {
  database = await testDatabase()
  const importing = {
    db: database.db,
    media: new FolderStore(join(tmpdir(), 'nothing-is-written')),
    now: () => new Date('2026-03-02T08:00:00Z'),
    dryRun: true,
    comingBooks: new Set(readdirSync(join(DEMO_CONTENT, 'titles'))),
  }
  reports = [
    ...(await importVocabularies(importing, DEMO_CONTENT)),
    ...(await importContent(importing, DEMO_CONTENT)),
  ]
})
afterAll(() => database.close())

test('imports the whole demo content, and stores all of it', () => {
  expect(reports.filter(({ outcome }) => outcome !== 'created')).toEqual([])
  const notes = reports.flatMap(({ folder, warnings }) => warnings.map((note) => `${folder}: ${note}`))
  expect(notes.filter((note) => !/is a new (category|type)\.$/.test(note))).toEqual([])
  expect(reports.filter(({ folder }) => folder.startsWith('editorial/')).length).toBeGreaterThanOrEqual(26)
})
