import { join } from 'node:path'
import { parseFile } from 'music-metadata'
import { describe, expect, test } from 'vitest'
import { audiobooks, here } from './read-demo.ts'
import { DRAWINGS } from '#importer/content/pictures.ts'
import { articles, authors, discussions, interviews, items, type Item } from './read-editorial.ts'

const item = (address: string): Item =>
  items.find(({ folder, slug }) => `${folder}/${slug}` === address) ?? expect.fail(`${address} is missing`)
const words = (text: string) => text.trim().split(/\s+/).length
const sound = ({ folder, audio }: Item) => join(here, 'editorial', folder, audio!)

describe('numbers that hold', () => {
  test('there are at least 14 articles, 9 podcasts and 7 events by at least 6 authors', () => {
    expect(articles.length).toBeGreaterThanOrEqual(14)
    expect(interviews.length).toBeGreaterThanOrEqual(9)
    expect(discussions.length).toBeGreaterThanOrEqual(7)
    expect(new Set(items.map(({ author }) => author)).size).toBeGreaterThanOrEqual(6)
  })

  test('at least 9 are featured, 9 are special, and they come in at least 3 types', () => {
    expect(items.filter(({ featured }) => featured).length).toBeGreaterThanOrEqual(9)
    expect(items.filter(({ special }) => special).length).toBeGreaterThanOrEqual(9)
    expect(new Set(items.map(({ type }) => type)).size).toBeGreaterThanOrEqual(3)
  })

  test('each kind has something for everybody and something for members', () => {
    for (const kind of [articles, interviews, discussions])
      expect(new Set(kind.map(({ memberOnly }) => memberOnly === true))).toEqual(new Set([true, false]))
    expect(new Set(items.map(({ minimumTier }) => minimumTier))).toEqual(
      new Set(['supporter', 'reader', undefined]),
    )
    expect(items.filter(({ minimumTier, memberOnly }) => minimumTier && !memberOnly)).toEqual([])
  })

  test('events lie ahead and behind, and nothing else has a date of its own', () => {
    const days = discussions.map(({ startsInDays }) => startsInDays!)
    expect(days.filter((day) => day > 0).length).toBeGreaterThanOrEqual(3)
    expect(days.filter((day) => day < 0).length).toBeGreaterThanOrEqual(3)
    expect([...articles, ...interviews].filter(({ startsInDays }) => startsInDays !== undefined)).toEqual([])
  })

  test('articles have 350 to 900 words, podcasts 250 to 500, events 120 to 250', () => {
    const sizes = [
      [articles, 350, 900],
      [interviews, 250, 500],
      [discussions, 120, 250],
    ] as const
    for (const [kind, least, most] of sizes)
      for (const { slug, body } of kind) {
        expect(words(body), slug).toBeGreaterThanOrEqual(least)
        expect(words(body), slug).toBeLessThanOrEqual(most)
      }
  })
})

describe('searches', () => {
  const finding = (of: Item[], keyword: RegExp) =>
    of.filter(({ title, summary, body }) => keyword.test(`${title} ${summary} ${body}`))

  test('harbour finds at least 7 articles', () => {
    expect(finding(articles, /\bharbour\b/i).length).toBeGreaterThanOrEqual(7)
  })

  test('ferry finds 1 or 2 of all, also by its beginning', () => {
    const found = finding(items, /\bferr/i)
    expect(found.length).toBeGreaterThanOrEqual(1)
    expect(found.length).toBeLessThanOrEqual(2)
    expect(finding(found, /\bferry\b/i)).toEqual(found)
  })

  test('zzyzx finds nothing', () => {
    expect(finding(items, /zzyzx/i)).toEqual([])
  })
})

describe('items with something special', () => {
  test('those with a fixed address are what they shall be', () => {
    expect(item('articles/how-a-voice-learns-a-book').memberOnly).toBeUndefined()
    expect(item('interviews/rooms-with-good-acoustics')).toMatchObject({
      memberOnly: true,
      minimumTier: 'supporter',
      audio: expect.any(String),
    })
    expect(item('interviews/the-second-reading')).toMatchObject({
      memberOnly: true,
      minimumTier: 'reader',
      audio: expect.any(String),
    })
    expect(item('articles/the-margins-of-a-page')).toMatchObject({
      memberOnly: true,
      minimumTier: 'supporter',
      audio: expect.any(String),
      videoLink: expect.any(String),
    })
    expect(item('discussions/an-evening-of-first-chapters')).toMatchObject({
      link: expect.any(String),
      linkTitle: expect.any(String),
    })
    expect(item('discussions/members-evening').memberOnly).toBe(true)
    expect(item('articles/a-link-to-nowhere').videoLink).toBe('https://films.example/clip')
  })

  test('How a voice learns a book has headings, a list, a quotation and a picture', () => {
    const { body } = item('articles/how-a-voice-learns-a-book')
    for (const mark of [/^## /m, /^- /m, /^> /m, /^!\[[^\]]+\]\(picture:\w+ "[^"]+"\)$/m])
      expect(body).toMatch(mark)
  })

  test('one film stands on each known host, one on none of them, and one only looks as if it did', () => {
    const films = items.flatMap(({ videoLink }) => (videoLink ? [new URL(videoLink)] : []))
    const hosts = films.map(({ hostname }) => hostname)
    expect(hosts.toSorted()).toEqual([
      'films.example',
      'player.vimeo.com',
      'vimeo.com',
      'www.youtube.com',
      'youtu.be',
      'youtu.be.films.example',
    ])
  })

  test('one hides its author, one has no picture, and every other picture is described', () => {
    expect(items.filter(({ hideAuthor }) => hideAuthor)).toHaveLength(1)
    expect(items.filter(({ image }) => image === 'none')).toHaveLength(1)
    for (const { slug, image, altText } of items.filter((each) => each.image !== 'none')) {
      expect(DRAWINGS.map((name) => `picture:${name}`), slug).toContain(image)
      expect(words(altText ?? ''), slug).toBeGreaterThanOrEqual(8)
    }
  })

  test('what is for members holds something back: sound, a film, a link or seats', () => {
    for (const { slug, audio, videoLink, link, seats } of items.filter(({ memberOnly }) => memberOnly))
      expect([audio, videoLink, link, seats].filter(Boolean), slug).not.toEqual([])
  })

  test('seats can be kept for everybody and for members, and each recording names its parts', () => {
    const kept = discussions.filter(({ seats }) => seats)
    expect(new Set(kept.map(({ memberOnly }) => memberOnly === true))).toEqual(new Set([true, false]))
    for (const { slug, audio, parts = [], body } of interviews.filter((each) => each.audio)) {
      expect(parts.length, `${slug} ${audio}`).toBeGreaterThanOrEqual(3)
      for (const { title } of parts) expect(body.replaceAll('*', ''), slug).toContain(title)
    }
  })
})

describe('what belongs to what', () => {
  test('every author has a file and every file has written something', () => {
    expect(new Set(items.map(({ author }) => author))).toEqual(new Set(authors))
  })

  test('The Lamplighter’s Ledger has all three kinds, and at least 12 other audiobooks have one', () => {
    for (const kind of [articles, interviews, discussions])
      expect(kind.flatMap(({ books = [] }) => books)).toContain('the-lamplighters-ledger')
    const named = new Set(items.flatMap(({ books = [] }) => books))
    expect(named.size).toBeGreaterThanOrEqual(13)
    expect(audiobooks.map(({ slug }) => slug)).toEqual(expect.arrayContaining([...named]))
    expect(named).not.toContain('the-quiet-ferry')
  })
})

describe('sound', () => {
  const spoken = items.filter(({ audio }) => audio)

  test('at least six podcasts and one article can be heard, one of them by everybody', () => {
    expect(interviews.filter(({ audio }) => audio).length).toBeGreaterThanOrEqual(6)
    expect(articles.filter(({ audio }) => audio).length).toBeGreaterThanOrEqual(1)
    expect(spoken.filter(({ memberOnly }) => !memberOnly).length).toBeGreaterThanOrEqual(1)
    expect(items.filter(({ audio }) => !audio).length).toBeGreaterThanOrEqual(1)
  })

  test('each is 40 to 70 seconds of MP3 like the books, under its own title', async () => {
    for (const each of spoken) {
      const { format, common } = await parseFile(sound(each), { duration: true })
      expect(format.duration, each.slug).toBeGreaterThanOrEqual(40)
      expect(format.duration, each.slug).toBeLessThanOrEqual(70)
      expect(format).toMatchObject({ sampleRate: 22_050, numberOfChannels: 1, bitrate: 40_000 })
      expect(common).toMatchObject({ title: each.title, album: 'Murmurations', genre: ['Podcast'] })
    }
  }, 30_000)
})
