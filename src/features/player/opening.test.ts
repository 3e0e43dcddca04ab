import { afterEach, describe, expect, it } from 'vitest'
import type { ChapterSeconds } from '#storage/place.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { currentToast, dismissToast } from '#ui/toast.ts'
import { createEngine } from './engine.ts'
import { createOpening } from './opening.ts'
import type { PlayerPorts } from './ports.ts'
import { changePlayerSettings } from './settings.ts'

function start(part: Partial<PlayerPorts> = {}, handed?: ChapterSeconds) {
  const ports = fakePorts(part)
  const audio = new FakeAudio()
  const engine = createEngine(audio.asElement(), ports)
  const { open, drop } = createOpening({
    engine,
    controls: engine,
    ports,
    handover: (slug) => handed && { slug, place: handed },
    isElsewhere: () => false,
    takeBack: () => undefined,
  })
  return { ports, audio, engine, open, drop }
}

const book = { slug: 'the-salt-ledger', kind: 'book' } as const

afterEach(() => {
  const shown = currentToast()
  if (shown) dismissToast(shown.id)
})

describe('opening a title', () => {
  it('PLAY-06: resumes 5 s before the saved place, with a notice at the first sound', async () => {
    const { ports, engine, open } = start()
    ports.places.set(book.slug, { chapter: 2, seconds: 25 })
    await open(book)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 20 })
    expect(currentToast()).toBeUndefined()
    engine.play()
    expect(currentToast()?.text).toBe('Picked up at 0:20')
  })

  it.each([
    [false, 45],
    [true, 15],
  ])('listening: a book left yesterday rewinds another 30 s only if set so: %s', async (rewinds, seconds) => {
    changePlayerSettings({ rewinds })
    const { ports, engine, open } = start()
    ports.places.set(book.slug, { chapter: 1, seconds: 50, heardAtMs: Date.now() - 86_400_000 })
    await open(book)
    expect(engine.place()).toEqual({ chapter: 1, seconds })
    changePlayerSettings({ rewinds: false })
  })

  it('PLAY-06: in the first seconds of a chapter it starts at 0', async () => {
    const { ports, engine, open } = start()
    ports.places.set(book.slug, { chapter: 1, seconds: 3 })
    await open(book, { play: true })
    expect(engine.place()).toEqual({ chapter: 1, seconds: 0 })
    expect(currentToast()).toBeUndefined()
  })

  it('shows no notice at the beginning of a later chapter', async () => {
    const { ports, engine, open } = start()
    ports.places.set(book.slug, { chapter: 2, seconds: 3 })
    await open(book, { play: true })
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
    expect(currentToast()).toBeUndefined()
  })

  it('shows no notice after a move before the first sound', async () => {
    const { ports, engine, open } = start()
    ports.places.set(book.slug, { chapter: 2, seconds: 25 })
    await open(book)
    engine.goTo({ chapter: 3, seconds: 0 })
    engine.play()
    expect(currentToast()).toBeUndefined()
  })

  it('shows a notice from one second on', async () => {
    const { ports, open } = start()
    ports.places.set(book.slug, { chapter: 2, seconds: 6 })
    await open(book, { play: true })
    expect(currentToast()?.text).toBe('Picked up at 0:01')
  })

  it('shows no notice for a place that was handed over or requested', async () => {
    const { ports, engine, open } = start({}, { chapter: 2, seconds: 12 })
    ports.places.set(book.slug, { chapter: 1, seconds: 50 })
    await open(book)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 12 })
    expect(currentToast()).toBeUndefined()
  })

  it('keeps the place of the press when the opened screen requests none', async () => {
    const { engine, open } = start()
    void open(book, { at: { chapter: 3, seconds: 7 } })
    await open(book)
    expect(engine.place()).toEqual({ chapter: 3, seconds: 7 })
    // The title is open now: a press plays it.
    await open(book, { play: true })
    expect(engine.state().status).toBe('waiting')
  })

  it('uses the speed stored for the book', async () => {
    const { ports, engine, open } = start()
    ports.keptSpeeds.set(book.slug, 1.4)
    await open(book)
    expect(engine.state().speed).toBe(1.4)
  })

  it('plays once when the press and the screen it leads to both open it', async () => {
    let loads = 0
    const { engine, open } = start({
      loadBook: (slug) => {
        loads += 1
        return Promise.resolve(aPlayable({ slug }))
      },
    })
    await Promise.all([open(book, { play: true }), open(book)])
    expect(loads).toBe(1)
    expect(engine.state().status).toBe('waiting')
  })

  it('PLAY-01: an open title continues unchanged when any screen opens it', async () => {
    const { audio, engine, open } = start()
    await open(book, { play: true })
    await audio.arrives(60)
    await audio.hears(10)
    await open(book)
    expect(engine.place()).toEqual({ chapter: 1, seconds: 10 })
    expect(audio.sources).toHaveLength(1)
  })

  it('the last request wins, even if the first is answered later', async () => {
    let answer: ((book: ReturnType<typeof aPlayable>) => void) | undefined
    const { engine, open } = start({
      loadBook: (slug) =>
        slug === 'slow' ? new Promise((resolve) => (answer = resolve)) : Promise.resolve(aPlayable({ slug })),
    })
    const slow = open({ slug: 'slow', kind: 'book' }, { play: true })
    await open(book)
    answer?.(aPlayable({ slug: 'slow' }))
    await slow
    await flush()
    expect(engine.state().title?.slug).toBe('the-salt-ledger')
    expect(engine.state().status).toBe('paused')
  })

  it('the current title keeps playing if another title fails to open', async () => {
    const { audio, engine, open } = start({
      loadBook: (slug) =>
        slug === 'gone' ? Promise.reject(new Error('404')) : Promise.resolve(aPlayable({ slug })),
    })
    await open(book, { play: true })
    await audio.arrives(60)
    await expect(open({ slug: 'gone', kind: 'book' })).rejects.toThrow('404')
    expect(engine.state()).toMatchObject({ status: 'playing', title: { slug: 'the-salt-ledger' } })
  })

  it('BOOK-19: plays from exactly the place that another page handed over', async () => {
    const { ports, engine, open } = start({}, { chapter: 1, seconds: 42 })
    ports.places.set(book.slug, { chapter: 1, seconds: 20 })
    await open(book)
    expect(engine.place()).toEqual({ chapter: 1, seconds: 42 })
    expect(engine.state().status).toBe('waiting')
  })

  it('a sample starts at its beginning, at the default speed', async () => {
    const { ports, engine, open } = start()
    ports.places.set(book.slug, { chapter: 1, seconds: 40 })
    ports.keptSpeeds.set(book.slug, 1.4)
    await open(book)
    await open({ slug: book.slug, kind: 'sample' })
    expect(engine.place()).toEqual({ chapter: 1, seconds: 0 })
    expect(engine.state()).toMatchObject({ speed: 1, title: { kind: 'sample' } })
  })

  it('logout cancels a pending title, and the next user may open the same one', async () => {
    const answers: ((book: ReturnType<typeof aPlayable>) => void)[] = []
    const { engine, open, drop } = start({
      loadBook: () => new Promise((resolve) => answers.push(resolve)),
    })
    const first = open(book, { play: true })
    drop()
    const second = open(book)
    answers[0]?.(aPlayable({ title: 'Of who was here before' }))
    await first
    expect(engine.state().title).toBeUndefined()
    answers[1]?.(aPlayable())
    await second
    expect(engine.state()).toMatchObject({ status: 'paused', title: { title: 'The Salt Ledger' } })
  })
})
