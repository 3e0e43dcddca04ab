import { slugOfIri } from '#storage/title-key.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { FeedMessage } from '#contract/feed.ts'
import type { AudioBookTime } from '#contract/listening.ts'
import { askWhich, followServer, goThere, isNews } from '#sync/follow-server.ts'
import { thisDeviceId } from '#sync/outbox.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { resumePlace } from '#storage/places.ts'
import { followSpeeds, speedsIn } from '#sync/speeds.ts'
import { listenToFeed } from '#features/feed/listen.ts'
import { notedFrom } from './model.ts'
import { giveSoundAway } from './claim-sound.ts'
import { openedListening, chapterLengths } from './lazy.ts'
import { createFollower } from './follow-elsewhere.ts'
import { shareSound } from './share-sound.ts'
import { useListeningStore } from './store.ts'
import type { Engine, Playback } from '#features/player/engine-interface.ts'
import { playerSettings } from '#features/player/settings.ts'
import { chapterAt, type Chapter } from '#features/player/model.ts'
import { resumeFrom, rewindAfter } from '#features/player/resume.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { call } from '#net/call.ts'
import { connectivity } from '#net/connectivity.ts'
import { currentOwner, currentSession, useSession } from '#session/store.ts'
import { clock } from '#format/clock.ts'
import { toast } from '#ui/toast.ts'

export interface OtherDevices {
  /** See `PlayerPorts`. */
  takeOver: (at: Playback) => Promise<ChapterSeconds | undefined> | undefined
}

/**
 * Applies places from the listener's other devices to this page's player. Call once, when the player exists.
 */
export async function followOtherDevices(
  engine: Engine,
  queryClient: QueryClient,
  recording: { readonly handOver: () => void },
): Promise<OtherDevices> {
  const deviceId = await thisDeviceId()
  const lengthsOf = chapterLengths(queryClient)
  const names = createDeviceNames()
  const openBook = () => {
    const { title } = engine.state()
    return title?.kind === 'book' && !usePlayer.getState().isInOtherWindow ? title : undefined
  }
  const sounding = () => openBook() !== undefined && wantsSound(engine.state())
  const isOn = () => playerSettings().onePlace && currentSession().status === 'user' && !isOffline()
  const owner = () => currentOwner() ?? ''

  const ask = async (slug: string): Promise<AudioBookTime | undefined> => {
    const answer = await call('GET /api/user_audio_book_times', {
      query: { audioBook: `/api/audio_books/${slug}` },
      background: true,
    })
    const [row] = answer['hydra:member']
    if (row) names.learn(row)
    return row
  }

  const follower = createFollower({
    player: {
      slug: () => openBook()?.slug,
      place: engine.place,
      sounding,
      // Move exactly there (PLAY-06), so that the clock shows the place named in the notice.
      stand: engine.stand,
      goTo: (place) => (wantsSound(engine.state()) ? engine.goTo : engine.stand)(place),
      resumesAt: (row) =>
        resumeFrom(
          openBook()?.chapters ?? [],
          { chapter: row.chapter, seconds: row.seconds, fromSeconds: row.fromSeconds ?? undefined },
          rewindAfter(Date.now() - Date.parse(row.heardAt)),
        ),
    },
    deviceId,
    async follow(row) {
      await followServer(owner(), [row], lengthsOf)
      return (await resumePlace(owner(), notedFrom(row).slug))?.eventId === row.eventId
    },
    goThere: (row, sinceMs) => goThere(owner(), row, sinceMs),
    isNews: (row) => isNews(owner(), row),
    askWhich: (row) => askWhich(owner(), row, lengthsOf),
    record: async (slug, place) => (await openedListening())?.returnTo(slug, place),
    ask,
    showMoved: (row, undo) => sayMoved(row, openBook()?.chapters ?? [], undo),
    isOn,
    nowMs: () => performance.now(),
  })

  const shared = shareSound({
    deviceId,
    // Send no request offline (trap 22): the claim is repeated when the stream reconnects.
    claim: async (id, { slug, chapter, seconds }, agoSeconds) =>
      isOffline()
        ? undefined
        : call('PUT /api/sound_claims/{id}', {
            params: { id },
            body: { deviceId, audioBook: `/api/audio_books/${slug}`, chapter, seconds, agoSeconds },
            background: true,
          }),
    release: async (id) =>
      isOffline()
        ? undefined
        : call('DELETE /api/sound_claims/{id}', { params: { id }, background: true, keepalive: true }),
    giveWay() {
      const title = openBook()
      const stopped = title && { slug: title.slug, ...engine.place() }
      recording.handOver()
      giveSoundAway()
      return stopped
    },
    onElsewhere(elsewhere) {
      useListeningStore.setState({ elsewhere })
      if (!elsewhere) engine.endElsewhere()
      if (!elsewhere || usePlayer.getState().display === 'full') return
      sayPlayingElsewhere(elsewhere.deviceName, () => usePlayer.getState().controls?.play())
    },
    isOn: () => playerSettings().onePlace && currentSession().status === 'user',
    nowMs: () => performance.now(),
  })

  /** Sequential, so that an older answer never overwrites a newer one. */
  let last: Promise<unknown> = Promise.resolve()
  const take = (sent: AudioBookTime) =>
    (last = last
      .then(async () => {
        const listener = owner()
        const row = names.complete(names.knows(sent) ? sent : ((await ask(notedFrom(sent).slug)) ?? sent))
        // Another user has logged in since.
        if (owner() !== listener) return undefined
        const there = shared.elsewhere()
        const { slug } = notedFrom(row)
        if (there?.deviceId !== row.deviceId || there?.slug !== slug) return follower.onPlace(row)
        // The listener moved playback there, so follow without asking.
        await goThere(owner(), row, Number.POSITIVE_INFINITY)
        if (openBook()?.slug === slug && !sounding()) engine.stand(row)
        shared.movedOn(row)
      })
      .catch(() => undefined))

  const catchUp = async () => {
    shared.reconnected()
    const slug = openBook()?.slug
    if (slug) void followMarks(slug)
    const row = slug && (await ask(slug).catch(() => undefined))
    if (row) await followSpeeds(owner(), speedsIn([row])).catch(() => undefined)
    follower.contacted()
    if (row) arrive(row)
  }
  const arrive = (row: AudioBookTime) => {
    shared.onPlace(row)
    void take(row)
  }

  const takeOver = ({ title, chapter, seconds }: Playback) => {
    if (title.kind !== 'book') return undefined
    // Read this before `played` resets it.
    const resumes = follower.resumesFollowed()
    const there = shared.played({ slug: title.slug, chapter, seconds })
    const begins = (row?: AudioBookTime): ChapterSeconds | undefined => {
      if (!row || !sounding()) {
        void follower.played()
        // A hand-over continues exactly; a place left earlier is resumed like one of this device (PLAY-06).
        return shared.tookOver() ? undefined : resumes
      }
      follower.contacted()
      // Before the next place is recorded, which is based on this one.
      void goThere(owner(), row, Number.POSITIVE_INFINITY).catch(() => undefined)
      return { chapter: row.chapter, seconds: row.seconds }
    }
    if (there && !isOffline()) return there.then(begins)
    const at = begins()
    return at && Promise.resolve(at)
  }
  const followMarks = async (slug: string) => (await openedListening())?.followBookmarks(slug)
  const followNews = async (message: FeedMessage) => {
    if (message.type === 'speed') await followSpeeds(owner(), [message.speed])
    else if (message.type === 'bookmarks' && message.deviceId !== deviceId)
      await followMarks(slugOfIri(message.audioBook))
    else if (message.type === 'lists' && message.deviceId !== deviceId)
      await (await openedListening())?.followLists()
  }

  engine.on('load', ({ title }) => {
    if (title.kind === 'book' && !isOffline()) void followMarks(title.slug)
  })
  for (const stop of ['pause', 'ended', 'off'] as const) engine.on(stop, shared.stopped)
  engine.on('seek', follower.moved)
  addEventListener('pagehide', shared.stopped)
  followFeed({
    isWanted: () =>
      !isOffline() && openBook() !== undefined && (sounding() || document.visibilityState === 'visible'),
    open: (userUuid) => {
      const stop = listenToFeed(
        userUuid,
        (message) => {
          if (message.type === 'place') arrive(message.place)
          else if (message.type === 'sound') shared.onClaim(message.claim)
          else if (message.type === 'silence') shared.onRelease(message.claimId)
          else void followNews(message)
        },
        { onAlive: follower.contacted, onOpen: () => void catchUp(), evenHidden: true },
      )
      return () => {
        shared.disconnected()
        stop()
      }
    },
    onChange: (look) => {
      engine.on('change', look)
      usePlayer.subscribe(look)
      useSession.subscribe(look)
      connectivity.subscribe(look)
      document.addEventListener('visibilitychange', look)
    },
  })
  // Playback may have started while this module loaded.
  const title = openBook()
  if (title && sounding()) void takeOver({ title, ...engine.place(), duration: engine.duration() })
  return { takeOver }
}

const isOffline = () => connectivity.snapshot() === 'offline'

/** Keeps the account's stream open while the player is visible or playing. */
function followFeed({
  isWanted,
  open,
  onChange,
}: {
  isWanted: () => boolean
  open: (userUuid: string) => () => void
  onChange: (look: () => void) => void
}): void {
  let running: { userUuid: string; stop: () => void } | undefined
  const look = () => {
    const { status, owner } = currentSession()
    const userUuid = status === 'user' && isWanted() ? owner?.uuid : undefined
    if (running?.userUuid === userUuid) return
    running?.stop()
    running = userUuid ? { userUuid, stop: open(userUuid) } : undefined
  }
  onChange(look)
  look()
}

/** Device names from earlier answers: live messages contain only ids. */
function createDeviceNames() {
  const names = new Map<string, string>()
  /** Request each device once per page, even if it has no name. */
  const asked = new Set<string>()
  return {
    learn({ deviceId, device }: Pick<AudioBookTime, 'deviceId' | 'device'>) {
      if (deviceId) asked.add(deviceId)
      if (device) names.set(device.id, device.name)
    },
    complete: (row: AudioBookTime): AudioBookTime => {
      const name = names.get(row.deviceId ?? '')
      return row.deviceId && name ? { ...row, device: { id: row.deviceId, name } } : row
    },
    knows: ({ deviceId, device }: Pick<AudioBookTime, 'deviceId' | 'device'>): boolean =>
      device != null || deviceId === null || asked.has(deviceId),
  }
}

/** Longer than other notices, because it offers undo. */
const SHOWN_MS = 10_000

/** "Moved to Lamp forty-one, 2:10, heard on Rosa’s phone." */
function sayMoved(place: AudioBookTime, chapters: readonly Chapter[], undo: () => void): void {
  const chapter = chapterAt(chapters, place.chapter)?.title ?? `chapter ${place.chapter}`
  const device = place.device?.name ?? 'another device'
  toast(`Moved to ${chapter}, ${clock(place.seconds)}, heard on ${device}.`, {
    action: { label: 'Undo', onPress: undo },
    forMilliseconds: SHOWN_MS,
  })
}

function sayPlayingElsewhere(deviceName: string | null | undefined, playHere: () => void): void {
  toast(`Playing on ${deviceName ?? 'another device'}. Paused here.`, {
    action: { label: 'Play here instead', onPress: playHere },
    forMilliseconds: SHOWN_MS,
  })
}
