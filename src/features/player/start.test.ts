// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noDownload, type Download } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { announced, forgetPolite } from '#ui/announce.ts'
import { currentToast, dismissToast } from '#ui/toast.ts'
import type { NextTitle } from './ports.ts'
import { startPlayer } from './start.ts'
import { usePlayer } from './store.ts'

const nowhere = () => undefined
let nowMs = 0
beforeEach(() => {
  nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
})
afterEach(() => {
  const shown = currentToast()
  if (shown) dismissToast(shown.id)
  vi.restoreAllMocks()
})

test('PLAY-09: a missing chapter plays once it is stored; other events of the same chapters change nothing', async () => {
  const key = 'audio/the-salt-ledger'
  const become = (part: Partial<Download>) =>
    useDownloadsStore.setState({
      byTitle: new Map([[key, { ...noDownload(key), state: 'downloading', coming: 1, ...part }]]),
    })
  become({})
  const audio = new FakeAudio()
  const ports = fakePorts()
  ports.absent.add(1)
  const { engine } = startPlayer(ports, nowhere, audio.asElement())
  engine.load(aPlayable(), undefined)
  engine.play()
  await flush()
  ports.absent.clear()
  const asked = ports.asked.length
  become({ share: 0.5 })
  await flush()
  expect(ports.asked).toHaveLength(asked)
  become({ stored: new Map([[1, '']]) })
  await flush()
  await audio.arrives(60)
  expect(engine.state().status).toBe('playing')
})

test('without volume control, a toast twenty seconds before the end offers to extend, each time', async () => {
  const audio = new FakeAudio()
  Object.defineProperty(audio, 'volume', { get: () => 1, set: nowhere })
  const { engine, sleep } = startPlayer(fakePorts(), nowhere, audio.asElement())
  engine.load(aPlayable({ chapters: [{ number: 1, title: 'One', seconds: 600, bytes: 1 }] }), undefined)
  engine.play()
  await audio.arrives(600)
  const hears = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 1) {
      nowMs += 1_000
      await audio.hears(1)
    }
  }
  sleep.start({ kind: 'minutes', minutes: 1 })
  for (let times = 0; times < 2; times += 1) {
    await hears(39)
    expect(currentToast()).toBeUndefined()
    await hears(2)
    const said = currentToast()
    expect(said).toMatchObject({ text: 'The sound stops in 20 seconds.', forMilliseconds: 20_000 })
    await hears(2)
    expect(currentToast()?.id).toBe(said?.id)
    said!.action!.onPress()
    dismissToast(said!.id)
  }
  expect(engine.state().status).toBe('playing')
})

test('PLAY-29: the player’s window closes when its listener logs out, in any tab', async () => {
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      postMessage = nowhere
    },
  )
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request: nowhere } })
  window.name = 'murmur-player-one'
  const close = vi.fn()
  vi.stubGlobal('close', close)
  const audio = new FakeAudio()
  const { engine, silence } = startPlayer(fakePorts(), nowhere, audio.asElement())
  window.name = ''
  engine.load(aPlayable(), undefined)
  engine.play()
  await audio.arrives(60)
  silence()
  expect(close).toHaveBeenCalledOnce()
  expect(audio.paused).toBe(true)
  vi.unstubAllGlobals()
})

test('PLAY-29: the page has one channel to its windows, however often one is opened', async () => {
  let channels = 0
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      postMessage = nowhere
      constructor() {
        super()
        channels += 1
      }
    },
  )
  vi.resetModules()
  const fresh = await import('./start.ts')
  const { steerWindow } = fresh.startPlayer(fakePorts(), nowhere, new FakeAudio().asElement())
  for (const id of ['one', 'two']) {
    sessionStorage.setItem('murmur.player-window', id)
    steerWindow()
  }
  expect(channels).toBe(1)
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const CUSTOMS: NextTitle = { slug: 'the-customs-house', title: 'The Customs House', why: 'Book 2 of 5' }
const oneChapter = aPlayable({ chapters: [{ number: 1, title: 'One', seconds: 60, bytes: 1 }] })

/** Plays a book of one chapter to its end; `CUSTOMS` follows it. */
async function atTheEnd({ sleepsHere = false } = {}) {
  URL.createObjectURL = () => 'blob:silence'
  const audio = new FakeAudio()
  const next = { after: async () => CUSTOMS, begun: nowhere, failed: nowhere }
  const player = startPlayer(fakePorts({ next }), nowhere, audio.asElement())
  player.engine.load(oneChapter, undefined)
  player.engine.play()
  if (sleepsHere) player.sleep.start({ kind: 'chapter' })
  await audio.arrives(60)
  await audio.hears(60)
  await vi.waitUntil(() => player.engine.state().status === 'ended')
  await flush()
  return { audio, ...player }
}

test('listening: the title that follows a book plays without another press', async () => {
  const { audio, engine, nextUp } = await atTheEnd()
  nextUp?.now()
  await vi.waitUntil(() => engine.state().title?.slug === CUSTOMS.slug)
  await audio.arrives(60)
  expect(engine.state().status).toBe('playing')
})

test('listening: the sleep timer at the end of a chapter lets no other title follow the last one', async () => {
  const followedBy = async (sleepsHere: boolean) => {
    const { nextUp } = await atTheEnd({ sleepsHere })
    const next = usePlayer.getState().nextUp?.slug
    nextUp?.no()
    return next
  }
  expect(await followedBy(true)).toBeUndefined()
  expect(await followedBy(false)).toBe(CUSTOMS.slug)
})

test('listening: the title that follows is named in a toast, or announced where the full player shows it', async () => {
  await atTheEnd()
  expect(currentToast()?.text).toBe('The Customs House plays in 10 seconds')
  currentToast()!.action!.onPress()
  expect(usePlayer.getState().nextUp).toBeUndefined()
  dismissToast(currentToast()!.id)
  expect(announced().polite).toBe('')

  usePlayer.setState({ display: 'full' })
  const inFull = await atTheEnd()
  expect(announced().polite).toBe('The Customs House plays in 10 seconds')
  expect(currentToast()).toBeUndefined()
  inFull.nextUp?.no()
  usePlayer.setState({ display: 'mini' })
  forgetPolite()
})
