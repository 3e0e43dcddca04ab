import { DEFAULT_SPEED } from '#contract/player-limits.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { clock } from '#format/clock.ts'
import { toast } from '#ui/toast.ts'
import type { Controls, Engine } from './engine-interface.ts'
import { sameTitle, type TitleRef } from './model.ts'
import { resumeFrom, rewindSince } from './resume.ts'
import type { PlayerPorts } from './ports.ts'
import type { RunningPlayer } from './store.ts'
import { readSpeed } from './speed.ts'
import type { Handover } from './window-name.ts'

interface OpeningNeeds {
  readonly engine: Engine
  readonly controls: Pick<Controls, 'play' | 'goTo'>
  readonly ports: Pick<PlayerPorts, 'loadBook' | 'loadSample' | 'loadRecording' | 'lastPlace' | 'speeds'>
  /** The data another page handed over with the book. */
  readonly handover: (slug: string) => Handover | undefined
  readonly isElsewhere: () => boolean
  /** Moves the sound back to this page. Returns its place if it was the same title. */
  readonly takeBack: (ref: TitleRef) => ChapterSeconds | undefined
}

interface TitleOpening {
  open: RunningPlayer['open']
  drop: () => void
}

/** Opens titles: loads them with their place and speed; the last request wins. */
export function createOpening(needs: OpeningNeeds): TitleOpening {
  const { engine, controls, isElsewhere } = needs
  let opening: Opening | undefined

  const open: RunningPlayer['open'] = (ref, { play = false, at } = {}) => {
    if (opening && sameTitle(opening.ref, ref)) {
      // The press and the screen it opens both open the title: open it once, and play it.
      opening.play ||= play
      opening.at ??= at
      return opening.done
    }
    if (!isElsewhere() && sameTitle(engine.state().title, ref)) {
      opening = undefined
      if (at) controls.goTo(at)
      if (play) controls.play()
      return Promise.resolve()
    }
    const mine: Opening = { ref, play, at, done: Promise.resolve() }
    opening = mine
    mine.done = load(needs, mine, () => opening === mine).finally(() => {
      if (opening === mine) opening = undefined
    })
    return mine.done
  }
  return { open, drop: () => void (opening = undefined) }
}

interface Opening {
  readonly ref: TitleRef
  play: boolean
  at: ChapterSeconds | undefined
  done: Promise<void>
}

async function load(needs: OpeningNeeds, opening: Opening, isLatest: () => boolean): Promise<void> {
  const { engine, controls, ports } = needs
  const { slug, kind } = opening.ref
  const isBook = kind === 'book'
  const handover = isBook ? needs.handover(slug) : undefined
  const asked = isBook ? ports.lastPlace(slug).catch(() => undefined) : Promise.resolve(undefined)
  const [title, saved, speed] = await Promise.all([
    isBook ? ports.loadBook(slug) : kind === 'sample' ? ports.loadSample(slug) : ports.loadRecording(slug),
    asked,
    // A caller that passes the place also passes the speed.
    isBook ? asked.then(() => readSpeed(ports.speeds, slug)) : DEFAULT_SPEED,
  ])
  if (!isLatest()) return
  const there = needs.takeBack(opening.ref)
  const exact = opening.at ?? handover?.place ?? there
  const place = exact ?? resumeFrom(title.chapters, saved, rewindSince(saved?.heardAtMs, Date.now()))
  engine.load(title, place, speed)
  if (saved && place && !exact) sayWhereOnce(engine, place)
  if (opening.play || handover) controls.play()
}

/** Shows the notice when playback starts, not when a screen opens. */
function sayWhereOnce(engine: Engine, place: ChapterSeconds) {
  const { title, status } = engine.state()
  // "Picked up at 0:00" adds nothing to the chapter name above.
  if (place.seconds < 1 || status === 'ended') return
  const stop = () => stops.forEach((end) => end())
  const stops = [
    engine.on('play', (moment) => {
      stop()
      if (moment.title === title) toast(`Picked up at ${clock(moment.seconds)}`)
    }),
    // No toast after a seek, when the listener chose the place, or after a load, which has its own message.
    engine.on('seek', stop),
    engine.on('load', stop),
  ]
}
