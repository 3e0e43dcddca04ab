declare global {
  interface Window {
    /** Set by index.html: without it nobody loads this. */
    typedEarly?: boolean
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * On a slow phone a form shows seconds before its code runs. Anything typed and chosen in between would give way to
 * what the form knows; it is taken out before React looks at the page, and put in again as its visitor did.
 *
 * Call it before React takes the page over, and what it answers at once afterwards.
 */
export function takeEarlyInput(): () => void {
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
      // Nobody listens to it, but React comes to where it happens first: a change that it does not see is none.
      field.dispatchEvent(new MouseEvent('auxclick', { bubbles: true }))
      if (isChoice(field)) {
        if (now || field.type === 'checkbox') field.click()
      } else {
        write(field, now)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
    }
  }
}

const isChoice = (field: Field): field is HTMLInputElement =>
  field.type === 'checkbox' || field.type === 'radio'

/** Past the setters that React puts over these: it would take what is written for its own. */
const write = (field: Field, what: string | boolean): boolean =>
  Reflect.set(Reflect.getPrototypeOf(field)!, isChoice(field) ? 'checked' : 'value', what, field)
