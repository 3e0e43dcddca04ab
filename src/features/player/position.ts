import { useSyncExternalStore } from 'react'
import { whileSeen } from '#ui/while-seen.ts'
import type { Readings } from './controls.ts'

/** The position of the listener. The same object as long as nothing moved. */
export interface Position {
  readonly chapter: number
  readonly seconds: number
  /** Of this chapter, in seconds: its length and how far it is fetched. */
  readonly duration: number
  readonly buffered: number
}

const NOWHERE: Position = { chapter: 0, seconds: 0, duration: 0, buffered: 0 }
const MEASURES = ['chapter', 'seconds', 'duration', 'buffered'] as const
const MOVES = ['tick', 'seek', 'chapterStart', 'load', 'sounding', 'pause', 'ended', 'off'] as const

let position = NOWHERE
let unfollow: (() => void) | undefined
const listeners = new Set<() => void>()

/** Shows this player's place from now on, four times a second while the page is seen. */
export function followPosition(player: Readings): void {
  unfollow?.()
  const read = () => {
    const next = { ...player.place(), duration: player.duration(), buffered: player.buffered() }
    if (MEASURES.every((key) => next[key] === position[key])) return
    position = next
    for (const listener of [...listeners]) listener()
  }
  unfollow = whileSeen(() => {
    const stops = MOVES.map((move) => player.on(move, read))
    read()
    return () => stops.forEach((stop) => stop())
  })
}

/** A store of its own: nothing else of the screen has to think four times a second. */
export const usePosition = (): Position => useSyncExternalStore(subscribe, readPosition, () => NOWHERE)

export const readPosition = (): Position => position

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
