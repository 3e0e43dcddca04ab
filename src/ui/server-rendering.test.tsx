import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { Accordion } from './Accordion.tsx'
import { Button } from './Button.tsx'
import { Carousel } from './Carousel.tsx'
import { Checkbox } from './Checkbox.tsx'
import { Chip } from './Chip.tsx'
import { Cover } from './Cover.tsx'
import { Dialog } from './Dialog.tsx'
import { DownloadRing } from './DownloadRing.tsx'
import { Empty } from './Empty.tsx'
import { Flock } from './Flock.tsx'
import { Icon } from './Icon.tsx'
import { LiveRegion } from './LiveRegion.tsx'
import { Menu } from './Menu.tsx'
import { PasswordField } from './Field.tsx'
import { Price } from './Price.tsx'
import { ProgressLine } from './ProgressLine.tsx'
import { RadioGroup } from './RadioGroup.tsx'
import { Sheet } from './Sheet.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Slider } from './Slider.tsx'
import { Tabs } from './Tabs.tsx'
import { Toaster } from './Toaster.tsx'

const widths = { 330: '/a', 600: '/b', 900: '/c' }
const picture = { avif: widths, webp: widths, width: 900, height: 900, placeholder: 'abcdef'.repeat(16) }
const nothing = () => undefined

const PARTS: Record<string, ReactElement> = {
  Button: <Button busy>Pay now</Button>,
  Carousel: (
    <Carousel title="Highlights">{[1, 2, 3, 4, 5].map((n) => createElement('a', { key: n }, n))}</Carousel>
  ),
  Checkbox: <Checkbox label="Lyrical" />,
  Chip: <Chip pressed>All</Chip>,
  Cover: <Cover picture={picture} alt="" sizes="1px" />,
  DownloadRing: <DownloadRing state="downloading" share={0.7} />,
  Empty: <Empty title="Nothing here yet." />,
  Flock: <Flock />,
  Icon: <Icon of={PlayIcon} filled />,
  LiveRegion: <LiveRegion />,
  PasswordField: <PasswordField label="Password" />,
  Price: <Price now="£12" members="£9.60" />,
  ProgressLine: <ProgressLine share={0.3} label="Heard" />,
  RadioGroup: <RadioGroup legend="Pay" options={[{ value: 'a', label: 'A' }]} value="a" onChange={nothing} />,
  Skeleton: <Skeleton height={20} />,
  Toaster: <Toaster />,
  Accordion: <Accordion items={[{ value: 'a', title: 'A', content: 'B' }]} />,
  Dialog: <Dialog open={false} onOpenChange={nothing} title="T" />,
  Menu: <Menu label="More" trigger={<button type="button">More</button>} entries={[]} />,
  Sheet: (
    <Sheet open={false} onOpenChange={nothing} title="T">
      x
    </Sheet>
  ),
  Slider: <Slider label="Speed" value={1} max={2} valueText={String} onChange={nothing} />,
  Tabs: <Tabs label="K" value="a" onChange={nothing} items={[{ value: 'a', label: 'A', content: 'x' }]} />,
}

test.each(Object.entries(PARTS))(
  '%s renders without a browser, with the same result each time',
  (_name, part) => {
    expect(typeof window).toBe('undefined')
    const first = renderToString(part)
    expect(renderToString(part)).toBe(first)
  },
)
