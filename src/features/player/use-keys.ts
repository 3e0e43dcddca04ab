import { useEffect, useRef, type RefObject } from 'react'
import { commandFor, VOLUME_COMMANDS, type KeyCommand } from './keyboard.ts'
import type { Panel } from './panel.ts'
import { playerSettings } from './settings.ts'
import { stepSpeed } from './speed.ts'
import { usePlayer } from './store.ts'

export interface KeyActions {
  onOpen: (panel: Panel) => void
  onBookmark: () => void
  onMinimise: () => void
}

const VOLUME_STEP = 0.1

/**
 * Steers the player by single keys while focus is inside `region`, or nowhere, as after a load; unless the listener
 * turned that off.
 */
export function useKeys(region: RefObject<HTMLElement | null>, actions: KeyActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const loud = useRef(1)

  useEffect(() => {
    const element = region.current
    if (!element) return undefined
    // Not React's event: that would also hear the keys pressed in a sheet, which stands elsewhere in the document.
    const press = (event: KeyboardEvent) => {
      // A sheet that has just opened does not have the focus yet.
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      const command = commandFor(event, event.target instanceof Element ? event.target : null)
      if (!command || (command !== 'help' && !playerSettings().keys)) return
      if (VOLUME_COMMANDS.has(command) && usePlayer.getState().player?.engine.setsVolume === false) return
      event.preventDefault()
      obey(command, latest.current, loud)
    }
    const pressNowhere = (event: KeyboardEvent) => {
      if (event.target === document.body) press(event)
    }
    element.addEventListener('keydown', press)
    document.addEventListener('keydown', pressNowhere)
    return () => {
      element.removeEventListener('keydown', press)
      document.removeEventListener('keydown', pressNowhere)
    }
  }, [region])
}

function obey(
  command: KeyCommand,
  { onOpen, onBookmark, onMinimise }: KeyActions,
  loud: { current: number },
) {
  const { controls, state } = usePlayer.getState()
  if (!controls) return
  const mute = () => {
    if (state.volume > 0) loud.current = state.volume
    controls.setVolume(state.volume > 0 ? 0 : loud.current)
  }
  const act: Record<KeyCommand, () => void> = {
    toggle: () => controls.toggle(),
    back: () => controls.jump(-playerSettings().backSeconds),
    forward: () => controls.jump(playerSettings().forwardSeconds),
    previous: () => controls.previousChapter(),
    next: () => controls.nextChapter(),
    louder: () => controls.setVolume(state.volume + VOLUME_STEP),
    quieter: () => controls.setVolume(state.volume - VOLUME_STEP),
    slower: () => controls.setSpeed(stepSpeed(state.speed, -1)),
    faster: () => controls.setSpeed(stepSpeed(state.speed, 1)),
    bookmark: onBookmark,
    chapters: () => onOpen('chapters'),
    sleep: () => onOpen('sleep'),
    mute,
    minimise: onMinimise,
    help: () => onOpen('keys'),
  }
  act[command]()
}
