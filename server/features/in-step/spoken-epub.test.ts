import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import JSZip from 'jszip'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { analyseTitle } from '#analysis/analyse-title.ts'
import { selectTitleToAnalyse } from '#analysis/queries.ts'
import { readEpubText } from '#analysis/text/epub-text.ts'
import { suppliedTimes } from '#analysis/text/media-overlays.ts'
import { splitInStep } from '#contract/calculations/in-step.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { alignments, soundCaptions } from '#server/db/schema/in-step.ts'
import { epub, OwnersFolder, STEREO, TONE } from '#importer/fixtures/owners-folder.ts'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'
import { anEBook, aUser, inLibrary, signedIn, type TestBook } from '#tests/support/builders.ts'
import { aSoundingBook, aStoredFile } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { markSentences } from './mark-sentences.ts'

const folder = new OwnersFolder()
let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(async () => {
  folder.remove()
  await shop.close()
})

const XHTML = `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title></head><body>
<h1>The orchard</h1><script>x</script>
<p>The tide &amp; the moon were <em>out. Nobody</em> had counted<!-- them -->&#160;them.</p>\r
<p>She did. <b>Twice.</b></p></body></html>`
const OPF = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:x</dc:identifier><dc:title>Low Tide</dc:title>
<dc:language>en-GB</dc:language></metadata><manifest><item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
</manifest><spine><itemref idref="one"/></spine></package>`

/** Owned by a listener in both formats; each caption is a sentence, two seconds long. */
async function aSpokenTitle(slug: string, opf = OPF) {
  const files = { 'OEBPS/book.opf': opf, 'OEBPS/text/one.xhtml': XHTML }
  const fileId = await aStoredFile(shop, await epub({ files }), 'epub')
  const eBook = await anEBook(shop, { slug, title: 'Low Tide', fileId })
  const audioBook = await aSoundingBook(
    shop,
    [{ title: 'The orchard', bytes: Buffer.concat([STEREO, TONE, Buffer.from(slug)]) }],
    { slug, title: 'Low Tide', counterpartId: eBook.id },
  )
  const analysing = { db: shop.db, media: shop.media, dataDir: shop.config.dataDir, priority: () => 0 }
  const title = (await selectTitleToAnalyse(shop.db, slug))!
  await shop.db.insert(soundCaptions).values({
    soundId: title.chapters[0]!.sha256,
    fileName: '1.vtt',
    captions: [
      [10, 20, 'The orchard'],
      [20, 40, 'The tide and the moon were out.'],
      [45, 60, 'Nobody had counted them.'],
      [60, 70, 'She did.'],
      [75, 90, 'Twice.'],
    ],
  })
  await analyseTitle(analysing, (await selectTitleToAnalyse(shop.db, slug))!)
  const user = await aUser(shop)
  const ask = async (path: string) =>
    shop.app.inject({
      url: `/api/audio_books/${slug}/in_step${path}`,
      headers: await signedIn(shop, user),
    })
  const get = async (...owned: readonly TestBook[]) => {
    for (const book of owned) await inLibrary(shop, user, book)
    return ask('/e_book')
  }
  const isOffered = async () => splitInStep((await ask('')).rawPayload).hasSpokenEBook
  return { audioBook, eBook, get, isOffered }
}

test('in step: owners of both formats download one EPUB 3 in which every clip has its sentence and lies within its sound', async () => {
  const { audioBook, eBook, get, isOffered } = await aSpokenTitle('spoken')
  expect([(await get(audioBook)).statusCode, await isOffered()]).toEqual([404, false])
  const answer = await shop.app.inject((await get(eBook)).json().url)
  expect(await isOffered()).toBe(true)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/epub+zip',
    'content-length': String(answer.rawPayload.length),
  })
  // An EPUB is recognised by its first file.
  expect(answer.rawPayload.subarray(30, 58).toString()).toBe('mimetypeapplication/epub+zip')
  const zip = await JSZip.loadAsync(answer.rawPayload, { checkCRC32: true })
  const text = await zip.file('OEBPS/text/one.xhtml')!.async('string')
  const smil = await zip.file('OEBPS/murmur-spoken/section-1.smil')!.async('string')
  const clips = [
    ...smil.matchAll(
      /src="([^"#]+)#([^"]+)"\/><audio src="([^"]+)" clipBegin="([\d.]+)s" clipEnd="([\d.]+)s"/g,
    ),
  ]
  let last = 0
  for (const [, target, id, sound, begin, end] of clips) {
    expect(target).toBe('../text/one.xhtml')
    expect(text).toContain(`id="${id}"`)
    expect(zip.file(`OEBPS/murmur-spoken/${sound}`)).not.toBeNull()
    expect(Number(begin)).toBe(last)
    last = Number(end)
  }
  // Nothing of the sound is left out. The builder says that the chapter lasts a second.
  expect(last).toBe(1)
  expect(text).toContain('<em><span id="spoken-2-2">out.</span> <span id="spoken-3">Nobody</span></em>')
})

test('in step: the times of the EPUB are the ones that were found, as read by the reader of media overlays', async () => {
  const { audioBook, eBook, get } = await aSpokenTitle('read-again')
  const { rawPayload } = await shop.app.inject((await get(audioBook, eBook)).json().url)
  const read = await readEpubText(folder.put('spoken.epub', rawPayload).folder('spoken.epub'))
  const found = (await suppliedTimes(read, [{ number: 1, title: '', durationMs: 1000 }]))!.get(1)!
  expect(found.placed.map(({ id, start }) => [found.sentences[id]!.words, start])).toEqual([
    ['The orchard', 0],
    ['The tide & the moon were out.', 20],
    ['Nobody had counted them.', 45],
    ['She did.', 60],
    ['Twice.', 75],
  ])
})

test('in step: an EPUB 2, and an EPUB with media overlays of its own, get none and are not offered it, and nor does an expired address', async () => {
  for (const [slug, opf] of [
    ['epub-two', OPF.replace('version="3.0"', 'version="2.0"')],
    ['has-overlays', OPF.replace('<item id="one"', '<item media-overlay="own" id="one"')],
  ] as const) {
    const { audioBook, eBook, get, isOffered } = await aSpokenTitle(slug, opf)
    expect([(await get(audioBook, eBook)).statusCode, await isOffered()]).toEqual([404, false])
  }
  expect((await shop.app.inject('/media/spoken/1.epub')).statusCode).toBe(403)
})

test('in step: saving with sound is not offered if every sentence is estimated, or a format can only be streamed', async () => {
  const { audioBook, eBook, get, isOffered } = await aSpokenTitle('not-offered')
  await get(audioBook, eBook)
  const offered = [await isOffered()]
  await shop.db.update(books).set({ downloadable: false }).where(eq(books.id, eBook.id))
  offered.push(await isOffered())
  await shop.db.update(books).set({ downloadable: true }).where(eq(books.id, eBook.id))
  const [row] = await shop.db.select().from(books).where(eq(books.id, eBook.id))
  await shop.db.update(alignments).set({ source: 'estimated' }).where(eq(alignments.textId, row!.fileId!))
  expect([...offered, await isOffered()]).toEqual([true, false, false])
})

test('in step: every sentence of a demo e-book can be marked, and its text stays the same', async () => {
  const slug = 'the-orchard-at-low-tide'
  const bytes = await readFile(join(DEMO_CONTENT, 'titles', slug, `${slug}.epub`))
  const zip = await JSZip.loadAsync(bytes)
  const { sections } = await readEpubText(folder.put('demo.epub', bytes).folder('demo.epub'))
  for (const { href, sentences } of sections) {
    const xhtml = await zip.file(href)!.async('string')
    const marked = markSentences(xhtml, sentences)
    expect([href, marked.ids.size]).toEqual([href, sentences.length])
    expect(marked.xhtml.replaceAll(/<\/?span[^>]*>/g, '')).toBe(xhtml.replaceAll(/<\/?span[^>]*>/g, ''))
  }
})
