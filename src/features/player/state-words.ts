import { MESSAGES } from '#contract/messages.ts'
import type { EngineState } from './engine-events.ts'

export interface Surroundings {
  readonly online: boolean
  /** The chapter is on this device. */
  readonly here: boolean
  /** The download finished while the chapter plays, so its sound still comes from the network. */
  readonly savedSince: boolean
  /** Only because it comes next: nobody asked for the download. */
  readonly storedAhead: boolean
  readonly isUser: boolean
}

/** The player's state line, honest also when something is wrong. */
export function stateWords(
  state: EngineState,
  { online, here, savedSince, storedAhead, isUser }: Surroundings,
): string {
  const { title, status, waitingFor } = state
  if (!title || title.chapters.length === 0) return 'No sound yet'
  if (state.wentElsewhere) return 'Playing elsewhere'
  const runs = status === 'playing' || status === 'waiting'
  if (title.kind === 'book' && !isUser && !here && (waitingFor || !runs)) return 'Log in to hear this chapter'
  if (waitingFor === 'chapter') return MESSAGES.loadingNextChapter
  if (waitingFor === 'sound')
    return online || savedSince ? 'Loading more of this chapter' : 'Waiting for a connection'
  if (here && storedAhead) return runs ? 'Playing what was kept ahead' : 'Kept ahead on this device'
  if (here) return runs ? 'Playing from downloads' : 'Saved on this device'
  if (savedSince) return 'Saved on this device'
  if (!online) return runs ? 'Offline, playing what has loaded' : 'Needs a connection'
  return title.kind === 'sample' ? 'Sample' : 'Streaming'
}
