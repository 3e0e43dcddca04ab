import { readField } from './card-text.ts'
import { fieldTypeOf } from './field-types.ts'
import type { Envelope, FieldNews, FieldOptions, FieldOrder, FieldStyle, GroupWord } from './protocol.ts'

/** The document of a card field's frame. The typed text leaves it only towards the controller frame. */
const query = new URLSearchParams(location.search)
const id = query.get('id') ?? ''
const holder = query.get('holder') ?? ''
const type = fieldTypeOf(location.pathname.split('/').pop() ?? '')
const group = new BroadcastChannel(query.get('group') ?? '')
const input = document.querySelector('input')!
const sheet = new CSSStyleSheet()
document.adoptedStyleSheets = [sheet]

let options: FieldOptions = {}
let brand = 'unknown'
let isTouched = false

const AUTOFILL = { cardNumber: 'cc-number', cardExpiry: 'cc-exp', cardCvc: 'cc-csc' } as const
const PLACEHOLDER = { cardNumber: '1234 1234 1234 1234', cardExpiry: 'MM / YY', cardCvc: 'CVC' } as const
input.autocomplete = AUTOFILL[type]
input.name = AUTOFILL[type]

const tell = (news: FieldNews) =>
  window.parent.postMessage({ sandbox: id, news } satisfies Envelope<FieldNews>, holder)
const reading = () => readField(type, input.value, brand, new Date())
const errorNow = () => {
  const { error, unfinished, empty } = reading()
  return error ?? (isTouched && !empty ? unfinished : undefined)
}

function changed() {
  const { empty, complete, brand: own } = reading()
  const error = errorNow()
  input.setAttribute('aria-invalid', String(error !== undefined))
  tell({ kind: 'changed', empty, complete, error, brand: own })
  dress()
}

const typed = (event: Event) => take(event instanceof InputEvent && event.inputType.startsWith('delete'))

function take(isErasing: boolean) {
  const before = input.value
  const caret = input.selectionStart ?? before.length
  const digitsBefore = before.slice(0, caret).replace(/\D/g, '').length
  const isAtEnd = caret === before.length
  const { text, brand: own } = reading()
  // Do not restore a space or slash that the user erased; otherwise format the text.
  input.value = isErasing && isAtEnd ? before.replace(/[\s/]+$/, '') : text
  if (!isAtEnd) {
    const at = placeAfter(input.value, digitsBefore)
    input.setSelectionRange(at, at)
  }
  isTouched = false
  if (type === 'cardNumber') group.postMessage({ kind: 'brand', brand: own } satisfies GroupWord)
  changed()
}

function placeAfter(text: string, digits: number): number {
  let seen = 0
  for (let at = 0; at < text.length; at += 1) {
    if (seen === digits) return at
    if (/\d/.test(text[at]!)) seen += 1
  }
  return text.length
}

input.addEventListener('input', typed)
input.addEventListener('focus', () => tell({ kind: 'focus' }))
input.addEventListener('blur', () => {
  isTouched = true
  tell({ kind: 'blur' })
  changed()
})
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') tell({ kind: 'escape' })
  if (event.key === 'Enter') tell({ kind: 'enter' })
})

group.addEventListener('message', ({ data }: MessageEvent<GroupWord>) => {
  if (data.kind === 'brand' && type === 'cardCvc') {
    brand = data.brand
    changed()
  }
  if (data.kind !== 'ask') return
  isTouched = true
  const { error, unfinished } = reading()
  // The field itself also shows what is missing when the form is submitted.
  if (error ?? unfinished) {
    tell({
      kind: 'changed',
      empty: reading().empty,
      complete: false,
      error: error ?? unfinished,
      brand: reading().brand,
    })
    dress('invalid')
  }
  group.postMessage({
    kind: 'told',
    ask: data.ask,
    type,
    value: input.value,
    error: error ?? unfinished,
  } satisfies GroupWord)
})

window.addEventListener(
  'message',
  ({ data, origin, source }: MessageEvent<Envelope<FieldOrder> | undefined>) => {
    if (origin !== holder || source !== window.parent || data?.sandbox !== id) return
    const order = data.news
    if (order.kind === 'options') follow(order.options)
    if (order.kind === 'focus') input.focus()
    if (order.kind === 'blur') input.blur()
    if (order.kind === 'clear') {
      input.value = ''
      isTouched = false
      changed()
    }
  },
)

let isReady = false
function follow(wished: FieldOptions) {
  options = wished
  input.placeholder = wished.placeholder ?? PLACEHOLDER[type]
  input.disabled = wished.disabled ?? false
  for (const { family, src, weight } of wished.fonts ?? [])
    if (family && src)
      void new FontFace(family, src, weight ? { weight } : {}).load().then(
        (face) => document.fonts.add(face),
        () => undefined,
      )
  dress()
  if (isReady) return
  tell({ kind: 'ready', height: input.offsetHeight })
  isReady = true
  // The user may have typed before this script ran.
  if (input.value !== '') take(false)
}

function dress(forced?: 'invalid') {
  const { empty, complete } = reading()
  const state = forced ?? (errorNow() ? 'invalid' : complete ? 'complete' : empty ? 'empty' : undefined)
  const { base = {}, ...states } = options.style ?? {}
  const rules = [base, ...(state && states[state] ? [states[state]] : [])].flatMap((style) => rulesOf(style))
  sheet.replaceSync(rules.join('\n'))
  if (isReady) tell({ kind: 'resized', height: input.offsetHeight })
}

const SAFE = new Set([
  'backgroundColor',
  'color',
  'fontFamily',
  'fontSize',
  'fontSmoothing',
  'fontStyle',
  'fontVariant',
  'fontWeight',
  'letterSpacing',
  'lineHeight',
  'padding',
  'textAlign',
  'textDecoration',
  'textShadow',
  'textTransform',
])

function rulesOf(style: FieldStyle, selector = 'input'): string[] {
  const own = Object.entries(style).flatMap(([name, value]) =>
    typeof value === 'string' && SAFE.has(name)
      ? [`${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value.replace(/[;{}]/g, '')};`]
      : [],
  )
  const inner = Object.entries(style).flatMap(([name, value]) =>
    typeof value === 'object' && /^:{1,2}[a-z-]+$/.test(name) ? rulesOf(value, `input${name}`) : [],
  )
  return [`${selector} { ${own.join(' ')} }`, ...inner]
}

tell({ kind: 'loaded' })
