import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { alignments, soundCaptions } from '#server/db/schema/in-step.ts'
import { books, chapters } from '#server/db/schema/catalogue.ts'
import { titleShop } from '#tests/support/title-shop.ts'
import { epub, mp3, picture, VBR } from './fixtures/owners-folder.ts'

const shop = titleShop({ keepsPictures: true })
const cover = picture('#446688')

const VTT = `WEBVTT

NOTE by hand

intro
00:00.300 --> 00:01.700 align:start
<v Nell>The tide &amp; the moon
were out.

00:02.000 --> 00:04.300
Nobody<00:02.500> counted <00:03.000><i>them</i>.
`
const SRT = `1
00:00:00,300 --> 00:00:01,700
{\\an8}The tide was out.

2
00:00:02,000 --> 00:00:04,300
<i>Nobody</i>
counted them.
`

async function titleWith(files: Record<string, string | Buffer>) {
  shop.owner.put('ebb/book.json', { title: 'Ebb', audiobook: { price: '9.99' }, ebook: { price: '4.99' } })
  shop.owner.put('ebb/cover.png', await cover).put('ebb/ebb.epub', await epub())
  shop.owner.put('ebb/01.mp3', mp3({ title: 'One' }, VBR)).put('ebb/02.mp3', mp3({ title: 'Two' }, VBR))
  for (const [name, content] of Object.entries(files)) shop.owner.put(`ebb/${name}`, content)
}
const bring = async () => (await shop.run()).ebb!
const stored = () =>
  shop.database.db
    .select({ chapter: chapters.number, file: soundCaptions.fileName, captions: soundCaptions.captions })
    .from(chapters)
    .innerJoin(soundCaptions, eq(soundCaptions.soundId, chapters.soundId))
    .orderBy(chapters.number)

test('in step: an import stores WebVTT and SRT beside a chapter, without their markup', async () => {
  await titleWith({
    '01.vtt': VTT,
    '02.en.srt': Buffer.from(`\uFEFF${SRT.replaceAll('\n', '\r\n')}`, 'utf16le'),
  })
  expect((await bring()).warnings).toEqual([])
  expect(await stored()).toEqual([
    {
      chapter: 1,
      file: '01.vtt',
      captions: [
        [30, 170, 'The tide & the moon were out.'],
        [200, 250, 'Nobody'],
        [250, 300, 'counted'],
        [300, 430, 'them.'],
      ],
    },
    {
      chapter: 2,
      file: '02.en.srt',
      captions: [
        [30, 170, 'The tide was out.'],
        [200, 430, 'Nobody counted them.'],
      ],
    },
  ])
  expect((await bring()).outcome).toBe('same')
})

test('in step: captions that are damaged, too long for the sound, or of no sound are left out, and the report says why', async () => {
  await titleWith({
    '01.vtt': 'WEBVTT\n\n00:04.000 --> 00:02.000\nBackwards.\n',
    '01.srt': SRT.replace('00:00:02,000 --> 00:00:04,300', '00:01:02,000 --> 00:01:04,300'),
    '02.vtt': 'Dear listener, this is a letter.',
    '02.srt': SRT.replace('-->', '--> soon'),
    '03.srt': SRT,
  })
  const { outcome, warnings } = await bring()
  expect(outcome).toBe('created')
  expect(warnings).toEqual([
    '01.srt is left out: the caption “Nobody counted them.” starts after the sound has ended.',
    '01.vtt is left out: line 3 ends before it starts.',
    '02.srt is left out: line 2 is no time: 00:00:00,300 --> soon 00:00:01,700.',
    '02.vtt is left out: it holds no captions.',
    '03.srt is left out: no sound has its name.',
  ])
  expect(await stored()).toEqual([])
})

test('in step: changed or removed captions are an import’s change, and the chapter is analysed again', async () => {
  await titleWith({ '01.vtt': VTT })
  await bring()
  const [{ soundId }] = (await shop.database.db.select().from(chapters).where(eq(chapters.number, 1))) as [
    typeof chapters.$inferSelect,
  ]
  const [eBook] = await shop.database.db.select().from(books).where(eq(books.format, 'e_book'))
  const analysed = async () => {
    const none = { times: new Uint8Array(), words: new Uint8Array() }
    const report = { sentences: 0, placed: 0, skipped: [], unknownWords: [], extraSeconds: 0, problem: null }
    await shop.database.db
      .insert(alignments)
      .values({ soundId, textId: eBook!.fileId!, version: 1, source: 'owner', ...none, report })
  }
  for (const change of [
    () => shop.owner.put('ebb/01.vtt', VTT.replace('00:02.000 -->', '00:01.900 -->')),
    () => shop.owner.drop('ebb/01.vtt'),
  ]) {
    await analysed()
    change()
    expect(await bring()).toMatchObject({ outcome: 'changed', details: ['captions'] })
    expect(await shop.database.db.$count(alignments)).toBe(0)
  }
  expect(await stored()).toEqual([])
})
