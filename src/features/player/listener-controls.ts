import type { Controls, Engine } from './controls.ts'
import { wantsSound } from './store.ts'
import type { SleepTimer } from './sleep-timer.ts'

/**
 * The meaning of a press to a listener: while the sleep timer fades, play and pause both say 'I am still awake'. A
 * headset has only the one button, and sends whichever the system thinks fits.
 */
export function listenerControls(engine: Engine, sleep: SleepTimer): Controls {
  const awake = (act: () => void) => () => {
    if (!sleep.state().fading) return act()
    sleep.extend()
    if (!wantsSound(engine.state())) engine.play()
  }
  return {
    ...engine,
    play: awake(engine.play),
    pause: awake(engine.pause),
    toggle: awake(engine.toggle),
  }
}
