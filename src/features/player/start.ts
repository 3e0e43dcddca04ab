import { titleKey } from '#storage/title-key.ts'
import { readDownload, subscribeDownloads } from '#features/downloads/store.ts'
import { announce, forgetPolite } from '#ui/announce.ts'
import { toast } from '#ui/toast.ts'
import { whileSeen } from '#ui/while-seen.ts'
import { createBookmarks } from './bookmarks.ts'
import type { Engine, PlayerRemote } from './engine-interface.ts'
import { createEngine } from './engine.ts'
import { storeLastPlayed } from './last-played.ts'
import { listenerActions } from './listener-actions.ts'
import { startMediaSession } from './media-session.ts'
import { sameTitle } from './model.ts'
import { createOpening } from './opening.ts'
import { playOn } from './next-up.ts'
import type { NextTitle, PlayerPorts } from './ports.ts'
import { followPosition } from './position.ts'
import { playerSettings } from './settings.ts'
import { skipCredits } from './skip-credits.ts'
import { shortenSilences } from './shorten-silences.ts'
import { createSleepTimer, FADE_SECONDS, type SleepTimer } from './sleep-timer.ts'
import { soundElement } from './sound-element.ts'
import { followSpeeds } from './speed.ts'
import { type RunningPlayer, usePlayer } from './store.ts'
import { ownTheSound, steerTheWindow, type OpenerSide } from './window-link.ts'
import { openedWindowId, ownWindowId, takeHandover } from './window-name.ts'

/** Starts the player, once per page. Loaded when the first title is played. */
export function startPlayer(
  ports: PlayerPorts,
  visit: (path: string) => void,
  audio: HTMLAudioElement = soundElement(),
): RunningPlayer {
  const engine = createEngine(audio, ports)
  const sleep = createSleepTimer(engine, () => performance.now())
  const nextUp =
    ports.next &&
    playOn({
      engine,
      port: ports.next,
      open: (slug) => opening.open({ slug, kind: 'book' }, { play: true }),
      stopsHere: () => ['chapter', 'nextChapter'].includes(sleep.state().choice?.kind ?? ''),
      nowMs: () => performance.now(),
      say: sayNext,
      session: navigator.mediaSession,
    })
  const controls = listenerActions({ engine, sleep, nextUp, nowMs: () => Date.now() })
  const local: PlayerRemote = { ...engine, ...controls }

  const bookmarks = createBookmarks({
    player: engine,
    store: ports.bookmarks,
    nowMs: () => Date.now(),
    newId: () => crypto.randomUUID(),
    onFailure: () => void toast('That didn’t save. This device is out of space.'),
  })
  followSpeeds(engine, ports.speeds)
  if (ports.creditsEnd) skipCredits(engine, ports.creditsEnd)
  if (ports.silences) shortenSilences(engine, ports.silences)
  engine.on('load', ({ title }) => storeLastPlayed(title))
  engine.on('off', () => storeLastPlayed(undefined))
  nudgeOnDownloads(engine)
  startMediaSession({
    session: navigator.mediaSession,
    engine,
    controls,
    headsetChapters: () => playerSettings().headsetChapters,
    jumps: playerSettings,
    nowMs: () => performance.now(),
  })
  const showSleep = () => usePlayer.setState({ sleep: sleep.state() })
  whileSeen(() => {
    showSleep()
    return sleep.subscribe(showSleep)
  })
  sayBeforeSilence(sleep, engine)

  let unfollow: (() => void) | undefined
  const take = (next: PlayerRemote, isInOtherWindow: boolean) => {
    unfollow?.()
    unfollow = next.on('change', (state) => usePlayer.setState({ state }))
    followPosition(next)
    usePlayer.setState({ controls: next, isInOtherWindow, state: next.state() })
  }

  let opener: OpenerSide | undefined
  let steered: string | undefined
  const steerWindow = () => {
    const id = openedWindowId()
    if (!id || id === steered || ownWindowId()) return
    steered = id
    opener = steerTheWindow({
      ...linkOf(id),
      onThere(other) {
        engine.pause()
        take(other, true)
      },
      // A closing window hands its place back, paused.
      onGone({ title, place, speed }) {
        if (!usePlayer.getState().isInOtherWindow) return
        if (title) engine.load(title, place, speed)
        else engine.turnOff()
        take(local, false)
      },
      onVisit: visit,
    })
  }

  const windowId = ownWindowId()
  const ownWindow =
    windowId === undefined
      ? undefined
      : ownTheSound({ ...linkOf(windowId), player: local, close: () => window.close() })

  const opening = createOpening({
    engine,
    controls,
    ports,
    handover: (slug) => (windowId === undefined ? undefined : takeHandover(slug)),
    isElsewhere: () => usePlayer.getState().isInOtherWindow,
    takeBack(ref) {
      const { isInOtherWindow, controls, state } = usePlayer.getState()
      if (!isInOtherWindow) return undefined
      const there = sameTitle(state.title, ref) ? controls?.place() : undefined
      opener?.close()
      take(local, false)
      return there
    },
  })
  const silence = () => {
    opening.drop()
    engine.turnOff()
    if (!usePlayer.getState().isInOtherWindow) return
    opener?.close()
    // After this the window can't hand anything back.
    take(local, false)
  }
  const player: RunningPlayer = {
    ...{ engine, sleep, bookmarks, ports, steerWindow, silence, nextUp },
    window: ownWindow,
    open: opening.open,
  }
  take(local, false)
  usePlayer.setState({ player })
  steerWindow()
  return player
}

/** One channel per page, even if its window is opened several times. */
let channel: BroadcastChannel | undefined
const linkOf = (id: string) => ({
  channel: (channel ??= new BroadcastChannel('murmur-player')),
  id,
  locks: navigator.locks,
})

function sayNext(next: NextTitle, no: () => void) {
  if (usePlayer.getState().display === 'full') {
    announce(`${next.title} plays in 10 seconds`)
    // Clear it when it is outdated: a screen reader may read the region later.
    setTimeout(forgetPolite, 10_000)
    return
  }
  toast(`${next.title} plays in 10 seconds`, {
    action: { label: 'Not now', onPress: no },
    forMilliseconds: 10_000,
  })
}

/** Retries when a download is stored: it may contain the missing chapter (PLAY-09). */
function nudgeOnDownloads(engine: Engine) {
  let stop: (() => void) | undefined
  engine.on('load', ({ title }) => {
    stop?.()
    const storedChapters = () => readDownload(titleKey('audio', title.slug)).stored.size
    let stored = storedChapters()
    stop = subscribeDownloads(() => {
      const now = storedChapters()
      if (now !== stored) engine.retryOrLookAhead()
      stored = now
    })
  })
}

/** Where the volume can't fade, announces the end and offers to keep playing. */
function sayBeforeSilence(sleep: SleepTimer, engine: Engine) {
  let said = sleep.state().fading
  sleep.subscribe(() => {
    const { fading } = sleep.state()
    if (fading && !said && !engine.setsVolume)
      toast(`The sound stops in ${FADE_SECONDS} seconds.`, {
        action: { label: 'Keep playing', onPress: () => sleep.extend() },
        forMilliseconds: FADE_SECONDS * 1000,
      })
    said = fading
  })
}
