type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * On a slow phone a form shows seconds before its code runs. Anything typed and chosen in between would give way to
 * what the form knows; it is taken out before React looks at the page, and put in again as its visitor did. React
 * takes the page over in pieces: what is typed into one that it has not reached yet is treated the same way.
 *
 * Call it before React takes the page over, and what it answers at once afterwards.
 */
export function takeEarlyInput(): () => void {
  addEventListener('input', whileHydrating, true)
  addEventListener('click', whileHydrating, true)
  // All are read before one is written: of a group, one that is chosen turns the others off.
  const early = [...document.querySelectorAll<Field>('input:not([type=file]), textarea')]
    .map((field) =>
      isChoice(field)
        ? { field, now: field.checked, known: field.defaultChecked }
        : { field, now: field.value, known: field.defaultValue },
    )
    .filter(({ now, known }) => now !== known)
  for (const { field, known } of early) write(field, known)
  return () => {
    for (const { field, now } of early) {
      if (!field.isConnected) continue
      hydrateNow(field)
      if (isChoice(field)) {
        if (now || field.type === 'checkbox') field.click()
      } else {
        write(field, now)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
    }
  }
}

function whileHydrating(event: Event): void {
  const field = event.target
  if (!isField(field) || isHydrated(field)) return
  if (isChoice(field)) {
    if (event.type !== 'click') return
    // Taken back by the browser once this event is over, and then done again.
    event.preventDefault()
    event.stopImmediatePropagation()
    setTimeout(() => {
      hydrateNow(field)
      field.click()
    })
  } else if (event.type === 'input') {
    const now = field.value
    write(field, field.defaultValue)
    hydrateNow(field)
    // The event goes on to React, which sees the change now.
    write(field, now)
  }
}

/** Nobody listens to this event, but React comes to where it happens first. */
const hydrateNow = (field: Field) => field.dispatchEvent(new MouseEvent('auxclick', { bubbles: true }))

/** React has begun to watch what the field holds (its `inputValueTracking`): a change from then on is seen. */
const isHydrated = (field: Field): boolean => '_valueTracker' in field

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'file')

const isChoice = (field: Field): field is HTMLInputElement =>
  field.type === 'checkbox' || field.type === 'radio'

/** Past the setters that React puts over these: it would take what is written for its own. */
const write = (field: Field, what: string | boolean): boolean =>
  Reflect.set(Reflect.getPrototypeOf(field)!, isChoice(field) ? 'checked' : 'value', what, field)

declare global {
  interface Window {
    /** Set by index.html, which keeps what is pressed until this room is there. */
    storePress?: (event: MouseEvent) => void
    storedPress?: HTMLElement
  }
}

/**
 * On a slow phone a page shows seconds before its code runs: buttons pressed in between are answered now. Links
 * need no code. Call it once React listens.
 */
export function answerEarlyPress(): void {
  removeEventListener('click', window.storePress!, true)
  window.storedPress?.click()
}
