import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import JSZip from 'jszip'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImportBatch } from '#contract/office/imports.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { importBatches } from '#server/db/schema/imports.ts'
import { epub, mp3, picture } from '#importer/fixtures/owners-folder.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'
import { soon } from '#tests/support/wait-for.ts'
import { cleanPath, folderOf } from './uploads.ts'
import { removeOldImports } from './service.ts'

let shop: TestShop
let editor: StaffSession
let base: string
beforeAll(async () => {
  shop = await testShop()
  editor = await signedInStaff(shop, 'editor')
  await shop.app.listen({ port: 0 })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has a port
  base = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}`
})
afterAll(() => shop.close())

const encoded = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

const create = (batch: string, path: string, size: number, headers = editor.headers) =>
  fetch(`${base}/api/office/uploads`, {
    method: 'POST',
    headers: {
      ...headers,
      'tus-resumable': '1.0.0',
      'upload-length': String(size),
      'upload-metadata': encoded({ batch, path }),
    },
  })
const patch = (location: string, offset: number, bytes: Uint8Array) =>
  fetch(base + location, {
    method: 'PATCH',
    headers: {
      ...editor.headers,
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body: Buffer.from(bytes),
  })
async function upload(batch: string, path: string, content: Uint8Array | string): Promise<number> {
  const bytes = Buffer.from(content)
  const created = await create(batch, path, bytes.length)
  if (created.status !== 201) return created.status
  return (await patch(created.headers.get('location')!, 0, bytes)).status
}
const begin = async (who = editor) => (await who.ask('POST', '/api/office/imports')).json().id as string
const look = async (id: string): Promise<ImportBatch> =>
  (await editor.ask('GET', `/api/office/imports/${id}`)).json()
const reached = (id: string, state: ImportBatch['state']) =>
  soon(async () => {
    const batch = await look(id)
    expect(batch.state).toBe(state)
    return batch
  })

test('OFFICE-30: an upload resumes where the connection dropped, the report comes before anything is written, and the confirmed titles are in the shop', async () => {
  const id = await begin()
  const sound = Buffer.from(mp3({ album: 'Sea Song', artist: 'Ida Frost' }))
  const created = await create(id, 'Sea Song/1.mp3', sound.length)
  const location = created.headers.get('location')!
  expect(location).toMatch(/^\/api\/office\/uploads\//)
  const half = Math.floor(sound.length / 2)
  expect((await patch(location, 0, sound.subarray(0, half))).status).toBe(204)
  const head = await fetch(base + location, {
    method: 'HEAD',
    headers: { ...editor.headers, 'tus-resumable': '1.0.0' },
  })
  expect(head.headers.get('upload-offset')).toBe(String(half))
  expect((await look(id)).received).toEqual([])
  expect((await patch(location, half, sound.subarray(half))).status).toBe(204)
  expect(await upload(id, 'Sea Song/cover.png', await picture('#334455'))).toBe(204)
  expect(await upload(id, 'Ebb.epub', await epub({ title: 'Ebb' }))).toBe(204)
  expect(await upload(id, 'list.csv', 'title,format,price,without_file\nNeap,audiobook,9.00,yes\n')).toBe(204)
  expect((await look(id)).received.map(({ path }) => path).sort()).toEqual([
    'Ebb/Ebb.epub',
    'Sea Song/1.mp3',
    'Sea Song/cover.png',
    'list.csv',
  ])
  expect((await editor.ask('POST', `/api/office/imports/${id}/read`)).statusCode).toBe(200)
  const found = await reached(id, 'found')
  expect(found.report.map(({ folder, outcome }) => [folder, outcome])).toEqual([
    ['list.csv', 'created'],
    ['Ebb', 'created'],
    ['Sea Song', 'created'],
  ])
  expect(await shop.db.$count(books)).toBe(0)
  const confirmed = await editor.ask('POST', `/api/office/imports/${id}/confirm`, {
    folders: ['Sea Song', 'list.csv'],
  })
  expect(confirmed.json()).toEqual({ what: 'Brought in 2 titles' })
  await reached(id, 'done')
  expect((await shop.db.select().from(books)).map(({ slug }) => slug).sort()).toEqual(['neap', 'sea-song'])
  await expect.poll(() => existsSync(folderOf(shop, id))).toBe(false)
})

test('OFFICE-31: uploads are for staff who may import, in their own import, and refuse archives, SVG and pictures that are none', async () => {
  const id = await begin()
  const support = await signedInStaff(shop, 'support')
  expect((await create(id, 'a/1.mp3', 3, support.headers)).status).toBe(403)
  expect((await create(id, 'a/1.mp3', 3, { origin: editor.headers.origin! })).status).toBe(401)
  expect((await create(id, 'a/1.mp3', 3, { ...editor.headers, origin: 'https://evil.example' })).status).toBe(
    403,
  )
  const other = await signedInStaff(shop, 'editor')
  expect((await create(id, 'a/1.mp3', 3, { ...other.headers, 'x-staff': editor.id })).status).toBe(422)
  expect((await other.ask('GET', `/api/office/imports/${id}`)).statusCode).toBe(404)
  expect((await other.ask('DELETE', `/api/office/imports/${id}`)).statusCode).toBe(404)
  for (const path of ['a/cover.svg', 'a/all.zip', 'a/all.rar', 'a/run.exe', '..', '', 'a/.htaccess'])
    expect((await create(id, path, 3)).status, path).toBe(422)
  expect(await upload(id, 'a/cover.png', '<svg xmlns="http://www.w3.org/2000/svg"/>')).toBe(422)
  expect((await create(id, 'a/1.mp3', 5 * 1024 ** 3)).status).toBe(413)
  expect((await look(id)).received).toEqual([])
  expect((await editor.ask('POST', `/api/office/imports/${id}/confirm`, { folders: ['a'] })).statusCode).toBe(
    422,
  )
})

test('OFFICE-31: names of paths can’t leave the import', () => {
  expect(cleanPath('../../etc/passwd/1.mp3')).toBe('etc/passwd/1.mp3')
  expect(cleanPath('C:\\Books\\Peat\\1.mp3')).toBe('C/Books/Peat/1.mp3')
  expect(cleanPath('/a/./b\u0000/\u202e1.mp3')).toBe('a/b/1.mp3')
  expect(cleanPath('peat.m4b')).toBe('peat/peat.m4b')
  expect(cleanPath('list.csv')).toBe('list.csv')
  expect(cleanPath('../Peat.zip')).toBe('Peat.zip')
  for (const bad of ['a/'.repeat(9) + '1.mp3', `${'x'.repeat(300)}.mp3`])
    expect(() => cleanPath(bad)).toThrow()
})

test('OFFICE-31: five imports may be open, and files that were never imported are removed after a week', async () => {
  const many = await signedInStaff(shop, 'owner')
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.push(await begin(many))
  expect((await many.ask('POST', '/api/office/imports')).statusCode).toBe(422)
  expect((await many.ask('DELETE', `/api/office/imports/${ids[0]}`)).statusCode).toBe(204)
  const id = await begin()
  await upload(id, 'Peat/1.mp3', mp3({ album: 'Peat' }))
  await shop.db
    .update(importBatches)
    .set({ updatedAt: new Date('2020-01-01') })
    .where(eq(importBatches.id, id))
  await removeOldImports(shop)
  expect(existsSync(folderOf(shop, id))).toBe(false)
  expect((await editor.ask('GET', `/api/office/imports/${id}`)).statusCode).toBe(404)
})

const read = async (id: string) => {
  await editor.ask('POST', `/api/office/imports/${id}/read`)
  return (await reached(id, 'found')).report
}
async function zipped(files: Readonly<Record<string, Uint8Array | string>>): Promise<Buffer> {
  const zip = new JSZip()
  for (const [name, content] of Object.entries(files)) zip.file(name, content)
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' })
}

test('office: a guess is corrected before the title is brought in, keeps what its book.json says, and no other import’s folder can be written to', async () => {
  const id = await begin()
  await upload(id, 'Somebody/Tides/2 - Neap/1.mp3', mp3({}))
  await upload(id, 'Somebody/Tides/2 - Neap/book.json', '{ "audiobook": { "price": "4.00" } }')
  await upload(id, 'Ebb.epub', await epub({ title: 'Ebb' }))
  const [ebb, neap] = await read(id)
  expect(neap).toMatchObject({
    said: { title: 'Neap', authors: ['Somebody'], narrators: [], series: [{ name: 'Tides', number: '2' }] },
    notes: [expect.stringContaining('Guessed')],
  })
  expect(ebb!.said).toMatchObject({ title: 'Ebb', narrators: null, series: [] })
  const said = {
    title: 'Neap Tide',
    authors: ['Ida Frost'],
    narrators: ['Edda Marlow'],
    series: [{ name: 'The Tides', number: null }],
  }
  const correct = (folder: string, who = editor) =>
    who.ask('POST', `/api/office/imports/${id}/correct`, { folder, said })
  expect((await correct(neap!.folder)).statusCode).toBe(200)
  const { report } = await reached(id, 'found')
  expect(report.map(({ folder }) => folder)).toEqual([ebb!.folder, neap!.folder])
  expect(report[1]).toMatchObject({ said, slug: 'neap-tide', notes: [] })
  expect((await correct('../elsewhere')).statusCode).toBe(422)
  expect((await correct(neap!.folder, await signedInStaff(shop, 'editor'))).statusCode).toBe(404)
  await editor.ask('POST', `/api/office/imports/${id}/confirm`, { folders: [neap!.folder] })
  await reached(id, 'done')
  const [book] = await shop.db.select().from(books).where(eq(books.slug, 'neap-tide'))
  expect(book).toMatchObject({ title: 'Neap Tide', priceMinor: 400 })
})

test('office: a ZIP of folders is unpacked before it is read, and a file in it that no importer reads is named', async () => {
  const id = await begin()
  const zip = await zipped({
    'Ida Frost/Kelp Song/1.mp3': mp3({ album: 'Kelp Song' }),
    'Ida Frost/Kelp Song/cover.png': await picture('#334455'),
    '__MACOSX/Ida Frost/._1.mp3': 'litter',
    'Ida Frost/Kelp Song/contract.docx': 'no',
  })
  expect(await upload(id, 'books.zip', zip)).toBe(204)
  expect(await upload(id, 'Ebb.zip', await zipped({ 'Ebb.epub': await epub({ title: 'Ebb' }) }))).toBe(204)
  const report = await read(id)
  expect(report.map(({ folder, outcome }) => [folder, outcome])).toEqual([
    ['books.zip', 'refused'],
    ['Ebb', 'created'],
    ['Ida Frost/Kelp Song', 'created'],
  ])
  expect(report[0]!.details).toEqual([expect.stringMatching(/^contract\.docx: only MP3/)])
  expect((await look(id)).received.map(({ path }) => path).sort()).toEqual([
    'Ebb/Ebb.epub',
    'Ida Frost/Kelp Song/1.mp3',
    'Ida Frost/Kelp Song/cover.png',
  ])
  // The archive is gone, and what was left out of it is still said until it is sent again.
  const folders = async () => (await read(id)).map(({ folder }) => folder)
  expect(await folders()).toEqual(['books.zip', 'Ebb', 'Ida Frost/Kelp Song'])
  expect(await upload(id, 'books.zip', await zipped({ 'Neap/1.mp3': mp3({ album: 'Neap' }) }))).toBe(204)
  expect(await folders()).toEqual(['Ebb', 'Ida Frost/Kelp Song', 'Neap'])
})

test('office: a ZIP is refused as a whole if it is a bomb, lies about its size, has too many files, leads out of its folder, or is damaged', async () => {
  // No folder: it would be an entry of its own, and the first.
  const sound = { 'Peat.mp3': mp3({ album: 'Peat' }) }
  const claiming = (zip: Buffer, change: (told: Buffer, end: number) => void) => {
    const told = Buffer.from(zip)
    change(told, told.lastIndexOf('PK\u0005\u0006', undefined, 'latin1'))
    return told
  }
  /** The claimed size of the first file in the directory. */
  const sizeAt = (told: Buffer, end: number) => told.readUInt32LE(end + 16) + 24
  const zips: readonly (readonly [Buffer | string, string])[] = [
    [
      claiming(await zipped(sound), (told, end) => told.writeUInt32LE(210_000_000, sizeAt(told, end))),
      'It would unpack to 210 MB.',
    ],
    [
      claiming(await zipped(sound), (told, end) => told.writeUInt32LE(10, sizeAt(told, end))),
      'It cannot be unpacked: it is damaged.',
    ],
    [
      claiming(await zipped(sound), (told, end) => told.writeUInt16LE(6_000, end + 10)),
      'It has more than 5000 files.',
    ],
    [await zipped({ ...sound, '../../out.mp3': 'out' }), 'It cannot be unpacked: it is damaged.'],
    ['no archive', 'It cannot be unpacked: it is damaged.'],
  ]
  const id = await begin()
  for (const [index, [zip]] of zips.entries()) expect(await upload(id, `${index}.zip`, zip)).toBe(204)
  expect((await read(id)).map(({ details }) => details)).toEqual(zips.map(([, words]) => [words]))
  expect((await look(id)).received).toEqual([])
  await editor.ask('DELETE', `/api/office/imports/${id}`)
})
