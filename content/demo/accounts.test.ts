import { parseFile } from 'music-metadata'
import { describe, expect, test } from 'vitest'
import { inTitle, named, readJson, spoken } from './read-demo.ts'

describe('accounts', () => {
  interface Account {
    email: string
    confirmed: boolean
    countryCode: string
    series?: { from: number; to: number }
    outlet?: { name: string }
    library?: { kind: 'audio_books' | 'e_books'; slug: string }[]
    listening?: { slug: string; chapter: number; seconds: number }[]
    bookmarks?: { slug: string; chapter: number; seconds: number; note?: string }[]
    membership?: { plan: number; status: string; creditsLeft: number }
  }
  const { password, accounts } = readJson('accounts.json') as { password: string; accounts: Account[] }
  const account = (name: string) => accounts.find(({ email }) => email === `${name}@murmur.example`)!

  test('all accounts of the demo shop are there, four of them in numbered copies, twenty at least', () => {
    expect(password).toBe('murmur-demo')
    const names =
      `nell supporter reader avid trial lapsed gone giftee corner empty shelf paypal gifted giver credit
      abroad halfoff formerly overdue unconfirmed`.split(/\s+/)
    for (const name of names) expect(account(name), name).toBeDefined()
    for (const [name, to] of Object.entries({ reader: 30, nell: 30, avid: 20, giftee: 20 }))
      expect(account(`${name}+{nn}`).series).toEqual({ from: 1, to })
  })

  test('every book in a library exists in that format, and every place and bookmark lies inside its chapter', async () => {
    for (const { email, library = [], listening = [], bookmarks = [] } of accounts) {
      for (const { kind, slug } of library) {
        expect(
          named(slug)?.[kind === 'audio_books' ? 'audiobook' : 'ebook'],
          `${email} ${kind} ${slug}`,
        ).toBeDefined()
      }
      for (const { slug, chapter, seconds } of [...listening, ...bookmarks]) {
        expect(library).toContainEqual(expect.objectContaining({ kind: 'audio_books', slug }))
        const { file } = named(slug).audiobook!.chapters![chapter - 1]!
        const { format } = await parseFile(inTitle(named(slug), file), { duration: true })
        expect(seconds).toBeLessThan(format.duration!)
      }
    }
  })

  test('what the accounts hold', () => {
    expect(account('reader').library).toHaveLength(2)
    for (const { slug } of account('reader').library!) expect(spoken).toContain(named(slug))
    expect(account('reader').listening).toEqual([expect.objectContaining({ chapter: 2, seconds: 30 })])
    expect(account('shelf').library).toHaveLength(24)
    expect(account('shelf').bookmarks).toHaveLength(2)
    expect(new Set(account('shelf').library!.map(({ kind }) => kind)).size).toBe(2)
    expect(
      account('nell')
        .library!.map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['audio_books', 'e_books', 'e_books'])
    expect(account('nell').library).toContainEqual(expect.objectContaining({ slug: 'letters-without-paper' }))
    expect(account('empty').library).toBeUndefined()
    expect(account('abroad').countryCode).toBe('US')
    expect(account('unconfirmed').confirmed).toBe(false)
    expect(account('corner').outlet?.name).toBe('Corner House Books')
  })
})
