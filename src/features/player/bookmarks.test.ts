import { describe, expect, it, vi } from 'vitest'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { createBookmarks } from './bookmarks.ts'
import { createEngine } from './engine.ts'
import type { BookmarkStore } from './ports.ts'

function start(part: Partial<BookmarkStore> = {}) {
  const ports = fakePorts()
  const engine = createEngine(new FakeAudio().asElement(), ports)
  const onFailure = vi.fn()
  let count = 0
  const bookmarks = createBookmarks({
    player: engine,
    store: { ...ports.bookmarks, ...part },
    nowMs: () => 1000,
    newId: () => `mark-${(count += 1)}`,
    onFailure,
  })
  engine.load(aPlayable(), undefined)
  return { ports, engine, bookmarks, onFailure }
}

describe('bookmarks', () => {
  it('are sorted by their place in the book and stored on the device', async () => {
    const { bookmarks, ports } = start()
    await flush()
    for (const [chapter, seconds] of [
      [2, 5],
      [1, 50],
      [2, 1],
      [1, 10],
    ] as const)
      bookmarks.add({ chapter, seconds })
    expect(bookmarks.list().map(({ chapter, seconds }) => [chapter, seconds])).toEqual([
      [1, 10],
      [1, 50],
      [2, 1],
      [2, 5],
    ])
    expect(ports.marks.size).toBe(4)
  })

  it('in step: have their sentence and the sound of their chapter, also after their removal is undone', async () => {
    const { bookmarks, engine, ports } = start()
    const title = aPlayable()
    engine.load(
      {
        ...title,
        chapters: title.chapters.map((chapter) => ({ ...chapter, sound: `sound-${chapter.number}` })),
      },
      undefined,
    )
    await flush()
    const sentence = 'Every cargo was weighed twice.'
    const mark = bookmarks.add({ chapter: 2, seconds: 5 }, sentence)
    bookmarks.remove(mark.id)
    bookmarks.restore(mark)
    await flush()
    expect([...ports.marks.values()]).toMatchObject([{ chapter: 2, sound: 'sound-2', sentence }])
  })

  it('have a note, and return when their removal is undone', async () => {
    const { bookmarks, ports } = start()
    await flush()
    const other = bookmarks.add({ chapter: 1, seconds: 20 })
    const mark = bookmarks.add({ chapter: 1, seconds: 50 })
    bookmarks.setNote(mark.id, 'The second ledger')
    await flush()
    const noted = bookmarks.list()[1]
    bookmarks.remove(mark.id)
    expect([...ports.marks.keys()]).toEqual([other.id])
    expect(bookmarks.list()).toEqual([other])
    if (noted) bookmarks.restore(noted)
    // It has a new id: a removed bookmark stays removed on every device.
    expect(ports.marks.get(mark.id)).toBeUndefined()
    expect([...ports.marks.values()].map(({ note }) => note)).toContain('The second ledger')
  })

  it('belong to their book: another book shows its own, a sample none', async () => {
    const { bookmarks, engine } = start()
    await flush()
    bookmarks.add({ chapter: 1, seconds: 50 })
    engine.load(aPlayable({ slug: 'tidewrack' }), undefined)
    // Clear them at once: otherwise the timeline of the second book would show those of the first.
    expect(bookmarks.list()).toEqual([])
    await flush()
    expect(bookmarks.list()).toEqual([])
    engine.load(aPlayable(), undefined)
    await flush()
    expect(bookmarks.list()).toHaveLength(1)
    engine.load(aPlayable(), { chapter: 2, seconds: 0 })
    expect(bookmarks.list()).toHaveLength(1)
    engine.load(aPlayable({ kind: 'sample' }), undefined)
    await flush()
    expect(bookmarks.list()).toEqual([])
  })

  it('show changes from other devices at once', async () => {
    const { bookmarks, ports } = start()
    await flush()
    const mine = bookmarks.add({ chapter: 2, seconds: 5 })
    await flush()
    const theirs = { ...mine, id: 'theirs', chapter: 1, note: 'From the phone' }
    ports.markElsewhere(() => ports.marks.set(theirs.id, theirs))
    await flush()
    expect(bookmarks.list()).toEqual([theirs, mine])
    ports.markElsewhere(() => ports.marks.delete(mine.id))
    await flush()
    expect(bookmarks.list()).toEqual([theirs])
  })

  it('that the device fails to store are reported and removed from the list', async () => {
    const { bookmarks, onFailure } = start({ put: () => Promise.reject(new Error('full')) })
    await flush()
    bookmarks.add({ chapter: 1, seconds: 50 })
    await flush()
    expect(onFailure).toHaveBeenCalledOnce()
    expect(bookmarks.list()).toEqual([])
  })
})
