import { toast } from '#ui/toast.ts'
import type { Engine, Playback } from './engine-interface.ts'
import type { PlayerPorts } from './ports.ts'
import { playerSettings, usePlayerSettings } from './settings.ts'

/** Longer than other notices, because it offers undo. */
const SHOWN_MS = 10_000

/**
 * Moves a book that begins to play in its opening credits to where its text begins, says so, and offers undo. Only once
 * for each opening, so that a listener who goes back hears them.
 */
export function skipCredits(engine: Engine, creditsEndOf: NonNullable<PlayerPorts['creditsEnd']>): void {
  let end: number | undefined

  const look = ({ title, chapter, seconds }: Playback) => {
    if (end === undefined || engine.state().status !== 'playing') return
    const isInCredits = chapter === title.chapters[0]?.number && seconds < end
    const to = { chapter, seconds: end }
    end = undefined
    if (!isInCredits) return
    engine.goTo(to)
    toast('Skipped the opening credits.', {
      action: { label: 'Undo', onPress: () => engine.goTo({ chapter, seconds }) },
      forMilliseconds: SHOWN_MS,
    })
  }
  engine.on('tick', look)
  engine.on('sounding', look)
  engine.on('seek', () => (end = undefined))

  const fetch = async () => {
    const { title } = engine.state()
    if (title?.kind !== 'book' || !playerSettings().skipsCredits) return
    const found = await creditsEndOf(title).catch(() => undefined)
    if (engine.state().title === title) end = found
  }
  engine.on('load', () => {
    end = undefined
    void fetch()
  })
  usePlayerSettings.subscribe((now, before) => {
    if (now.skipsCredits === before.skipsCredits) return
    end = undefined
    if (engine.state().status !== 'playing') void fetch()
  })
}
