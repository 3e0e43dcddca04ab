// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Checkbox } from '#ui/Checkbox.tsx'
import { usePresses } from '#ui/next-paint.ts'
import { type BookFilter, filterOf, searchOf } from './filter.ts'
import { CHOICE_LABELS } from './filter-options.ts'
import { FilterGroups, FilterSheet } from './FilterGroups.tsx'

afterEach(cleanup)

vi.mock('#ui/Checkbox.tsx', async (original) => {
  const { Checkbox } = await original<typeof import('#ui/Checkbox.tsx')>()
  return { Checkbox: vi.fn(Checkbox) }
})

interface PanelProps extends Pick<ComponentProps<typeof FilterGroups>, 'filter' | 'options'> {
  /** In the sheet, with its "Clear all". */
  inSheet?: boolean
  onChange?: (filter: BookFilter) => void
}

function Panel({ filter, options, inSheet, onChange }: PanelProps) {
  const presses = usePresses(filter, (wanted) => onChange?.(wanted))
  const groups = { kind: 'audio_books' as const, filter, options, presses }
  return inSheet ? (
    <FilterSheet {...groups} total={9} open onOpenChange={() => undefined} />
  ) : (
    <FilterGroups {...groups} />
  )
}

/** The address after the option of this name was pressed, in a panel where nothing or something is chosen. */
async function addressAfter(name: string, search: Record<string, string> = {}) {
  let address: Record<string, string> | undefined
  render(
    <Panel
      filter={filterOf(search, 'audio_books')}
      options={{
        styles: [{ id: 1, label: 'Quiet' }],
        categories: [{ id: 2, label: 'Memoir' }],
        locations: [{ id: 3, label: 'Islands' }],
        publishers: [{ id: 4, label: 'Slate Yard' }],
        nationalities: [{ id: 5, label: 'Norwegian' }],
      }}
      onChange={(filter) => (address = searchOf(filter, 'audio_books'))}
    />,
  )
  fireEvent.click(screen.getByLabelText(name))
  await vi.waitFor(() => expect(address).toBeDefined())
  cleanup()
  return address
}

test.each([
  ['Quiet', { 'styles[]': '1' }],
  ['Memoir', { 'categories[]': '2' }],
  ['Islands', { 'locations[]': '3' }],
  ['Slate Yard', { 'publishers[]': '4' }],
  ['Norwegian', { 'nationalities[]': '5' }],
  ['8 h+, 8 hours or more', { 'lengthHours[gte]': '8' }],
  ['9 h or less, 9 hours or less', { 'lengthHours[lte]': '9' }],
])('SEARCH-18: “%s” narrows what is shown, and widens it again', async (name, address) => {
  expect(await addressAfter(name, { page: '3' })).toEqual(address)
  expect(await addressAfter(name, address)).toEqual({})
})

test('LIST-06 LIST-09: lengths of audiobooks go from 1 to 9 hours, and the same one again clears the filter', async () => {
  const hours = ['1 h+', '2 h+', '3 h+', '4 h+', '5 h+', '6 h+', '7 h+', '8 h+', '9 h or less']
  const draw = (search: Record<string, string>) => {
    const filter = filterOf(search, 'audio_books')
    render(<Panel filter={filter} options={{}} />)
    return within(screen.getByRole('group', { name: 'Length' })).getAllByRole('button')
  }
  expect(draw({}).map(({ textContent }) => textContent)).toEqual(hours)
  cleanup()
  const pressed = draw({ 'lengthHours[gte]': '6' }).map((button) => button.getAttribute('aria-pressed'))
  expect(pressed.indexOf('true')).toBe(5)
  expect(pressed.lastIndexOf('true')).toBe(5)
  cleanup()
  const six = '6 h+, 6 hours or more'
  expect(await addressAfter(six)).toEqual({ 'lengthHours[gte]': '6' })
  expect(await addressAfter(six, { 'lengthHours[gte]': '6' })).toEqual({})
})

test('SEARCH-18: each filter has its name as heading', () => {
  const options = { styles: [], categories: [], locations: [], publishers: [], nationalities: [] }
  const filter = filterOf({}, 'audio_books')
  render(<Panel filter={filter} options={options} />)
  const names = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(names.toSorted()).toEqual([...Object.values(CHOICE_LABELS), 'Length'].toSorted())
  expect(within(screen.getByRole('group', { name: 'Length' })).getAllByRole('button')).toHaveLength(9)
})

test('a press renders only its own box', () => {
  const options = {
    styles: [
      { id: 1, label: 'Quiet' },
      { id: 2, label: 'Loud' },
    ],
    categories: [{ id: 3, label: 'Memoir' }],
  }
  const filter = filterOf({}, 'audio_books')
  render(<Panel filter={filter} options={options} />)
  vi.mocked(Checkbox).mockClear()
  fireEvent.click(screen.getByLabelText('Loud'))
  expect(vi.mocked(Checkbox).mock.calls.map(([{ label }]) => label)).toEqual(['Loud'])
})

test('“Clear all” unticks a box whose page still loads', async () => {
  const filter = filterOf({}, 'audio_books')
  const onChange = vi.fn<(filter: BookFilter) => void>()
  const options = { styles: [{ id: 1, label: 'Quiet' }] }
  render(<Panel inSheet filter={filter} options={options} onChange={onChange} />)
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Quiet' })
  fireEvent.click(box)
  await vi.waitFor(() => expect(onChange).toHaveBeenLastCalledWith({ ...filter, styles: [1] }))
  expect(box.checked).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Clear all' }))
  expect(box.checked).toBe(false)
  await vi.waitFor(() => expect(onChange).toHaveBeenLastCalledWith(filter))
  expect(box.checked).toBe(false)
})
