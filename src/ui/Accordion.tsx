import { Accordion as Base } from '@base-ui/react/accordion'
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import type { ReactNode } from 'react'
import styles from './Accordion.module.css'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'

interface AccordionItem {
  value: string
  title: ReactNode
  note?: ReactNode | undefined
  content: ReactNode
}

interface AccordionProps {
  items: readonly AccordionItem[]
  defaultOpen?: readonly string[] | undefined
  /** Allows several open items; otherwise opening one closes the other. */
  multiple?: boolean | undefined
  level?: 'h2' | 'h3' | 'h4' | undefined
  className?: string | undefined
}

export function Accordion({
  items,
  defaultOpen = NONE,
  multiple = true,
  level: Level = 'h3',
  className,
}: AccordionProps) {
  return (
    <Base.Root defaultValue={[...defaultOpen]} multiple={multiple} className={className}>
      {items.map((item) => (
        <Base.Item key={item.value} value={item.value} className={cx(styles.item)}>
          <Base.Header render={<Level />} className={cx(styles.heading)}>
            <Base.Trigger className={cx(styles.trigger)}>
              <span className={styles.label}>{item.title}</span>
              {item.note && <span className={styles.note}>{item.note}</span>}
              <span className={styles.chevron}>
                <Icon of={CaretDownIcon} size={18} />
              </span>
            </Base.Trigger>
          </Base.Header>
          <Base.Panel className={cx(styles.panel)}>
            <div className={styles.inner}>{item.content}</div>
          </Base.Panel>
        </Base.Item>
      ))}
    </Base.Root>
  )
}

const NONE: readonly string[] = []
