// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createElement, useRef, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Accordion } from './Accordion.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Menu } from './Menu.tsx'
import { Sheet } from './Sheet.tsx'
import { Slider } from './Slider.tsx'
import { Tabs } from './Tabs.tsx'
import { toast } from './toast.ts'
import { Toaster } from './Toaster.tsx'

afterEach(cleanup)

const KINDS = ['dialog', 'sheet', 'popover'] as const

/** Pressing Open again closes it where the page behind can be pressed. */
function Opener({ kind }: { kind: (typeof KINDS)[number] }) {
  const [open, setOpen] = useState(false)
  const beside = useRef<HTMLDivElement>(null)
  const Overlay = kind === 'dialog' ? Dialog : Sheet
  return (
    <>
      <div ref={beside}>
        <Button onClick={() => setOpen(!open)}>Open</Button>
      </div>
      <Overlay
        open={open}
        onOpenChange={setOpen}
        title="Remove all downloads?"
        {...(kind === 'popover' ? { beside } : {})}
      >
        <p>Your library stays yours.</p>
      </Overlay>
    </>
  )
}

test('a popover leaves the page behind it usable: a second press closes it, and so does a press elsewhere', async () => {
  render(<Opener kind="popover" />)
  const opener = screen.getByRole('button', { name: 'Open' })
  await userEvent.click(opener)
  await screen.findByRole('dialog', { name: 'Remove all downloads?' })
  expect(document.querySelector('[data-sheet="beside"]')).not.toBeNull()
  await userEvent.click(opener)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(opener)
  await screen.findByRole('dialog')
  await userEvent.click(document.body)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each(KINDS)('a %s has a name, closes on Esc and returns the focus', async (kind) => {
  render(<Opener kind={kind} />)
  const opener = screen.getByRole('button', { name: 'Open' })
  await userEvent.click(opener)
  const dialog = await screen.findByRole('dialog', { name: 'Remove all downloads?' })
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test.each(KINDS)('a %s has a button that closes it', async (kind) => {
  render(<Opener kind={kind} />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each(KINDS)('a toast outside an open %s can be read and clicked', async (kind) => {
  const undo = vi.fn()
  render(
    <>
      <Opener kind={kind} />
      <Toaster />
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  await screen.findByRole('dialog')
  act(() => void toast('Bookmark removed.', { action: { label: 'Undo', onPress: undo } }))
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('a menu opens from its trigger and runs the chosen action', async () => {
  const zip = vi.fn()
  render(
    <Menu
      label="More"
      trigger={<button type="button">More</button>}
      entries={[
        { key: 'page', label: 'Book page', link: createElement('a', { href: '#page' }) },
        { key: 'zip', label: 'Download as zip', onSelect: zip },
      ]}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
    'Book page',
    'Download as zip',
  ])
  await userEvent.click(screen.getByRole('menuitem', { name: 'Download as zip' }))
  expect(zip).toHaveBeenCalledOnce()
})

test('a slider announces its value in words and moves by keyboard', async () => {
  const moved = vi.fn()
  render(
    <Slider
      label="Position in chapter"
      value={250}
      max={1010}
      step={1}
      largeStep={15}
      valueText={(value) => `${value} seconds of 1010`}
      onChange={moved}
    />,
  )
  const slider = screen.getByRole('slider', { name: 'Position in chapter' })
  expect(slider.getAttribute('aria-valuetext')).toBe('250 seconds of 1010')
  slider.focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(moved.mock.calls[0]?.[0]).toBe(251)
})

test('tabs respond to the arrow keys', async () => {
  const changed = vi.fn()
  render(
    <Tabs
      label="Kinds"
      value="audio"
      onChange={changed}
      items={[
        { value: 'audio', label: 'Audiobooks', content: 'Sound' },
        { value: 'ebook', label: 'E-books', content: 'Text' },
      ]}
    />,
  )
  await userEvent.tab()
  await userEvent.keyboard('{ArrowRight}')
  expect(changed).toHaveBeenCalledWith('ebook')
})

test('an accordion’s button is inside a heading and opens its panel', async () => {
  render(<Accordion items={[{ value: 'a', title: 'Can I cancel?', content: 'At any time.' }]} />)
  const heading = screen.getByRole('heading', { name: 'Can I cancel?', level: 3 })
  const button = screen.getByRole('button', { name: 'Can I cancel?' })
  expect(heading.contains(button)).toBe(true)
  expect(screen.queryByText('At any time.')).toBeNull()
  await userEvent.click(button)
  expect(await screen.findByText('At any time.')).toBeTruthy()
})
