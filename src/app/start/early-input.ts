type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * On a slow phone a form is visible seconds before its code runs. Hydration would replace input from that
 * time with the form's state, so this reads the input before hydration and repeats it afterwards. React
 * hydrates in parts: input into a part not hydrated yet is handled the same way.
 *
 * Call it before hydration, and the returned function immediately afterwards.
 */
export function takeEarlyInput(): () => void {
  addEventListener('input', whileHydrating, true)
  addEventListener('click', whileHydrating, true)
  // Read all fields before writing any: selecting one radio button clears the others of its group.
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
    // The browser reverts the choice after this event; then it is repeated.
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
    // The event continues to React, which detects the change now.
    write(field, now)
  }
}

/** There is no listener for this event, but React hydrates its target. */
const hydrateNow = (field: Field) => field.dispatchEvent(new MouseEvent('auxclick', { bubbles: true }))

/** React tracks the field's value (its `inputValueTracking`), so it detects changes from now on. */
const isHydrated = (field: Field): boolean => '_valueTracker' in field

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'file')

const isChoice = (field: Field): field is HTMLInputElement =>
  field.type === 'checkbox' || field.type === 'radio'

/** Use the native setter: React ignores changes made through its own. */
const write = (field: Field, what: string | boolean): boolean =>
  Reflect.set(Reflect.getPrototypeOf(field)!, isChoice(field) ? 'checked' : 'value', what, field)

declare global {
  interface Window {
    /** Set by index.html, which stores a press until this module is loaded. */
    storePress?: (event: MouseEvent) => void
    storedPress?: HTMLElement
  }
}

/**
 * On a slow phone a page is visible seconds before its code runs: repeats a button press from that time.
 * Links need no code. Call it once React has attached its listeners.
 */
export function answerEarlyPress(): void {
  removeEventListener('click', window.storePress!, true)
  const pressed = window.storedPress
  if (pressed?.closest('[data-title-in-progress]')) pressSuccessor(pressed)
  else pressed?.click()
}

const SUCCESSOR_WITHIN_MS = 4_000

/** Presses the button that replaces one of index.html's markup, once it is rendered. */
function pressSuccessor(pressed: HTMLElement): void {
  const press = () => {
    const successor = successorOf(pressed)
    if (successor) stop()
    successor?.click()
  }
  const observer = new MutationObserver(press)
  observer.observe(document.body, { childList: true, subtree: true })
  const timer = setTimeout(() => stop(), SUCCESSOR_WITHIN_MS)
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  press()
}

function successorOf(pressed: HTMLElement): HTMLElement | undefined {
  const before: readonly HTMLElement[] = [...(pressed.closest('section')?.querySelectorAll('button') ?? [])]
  const after = document.querySelectorAll<HTMLElement>('main button')
  const successor = after[before.indexOf(pressed)]
  return successor?.className === pressed.className ? successor : undefined
}
