import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Tabs.module.css'

interface TabItem<T extends string> {
  value: T
  label: ReactNode
  content: ReactNode
}

interface TabsProps<T extends string> {
  label: string
  items: readonly TabItem<T>[]
  value: T
  onChange: (value: T) => void
}

export function Tabs<T extends string>({ label, items, value, onChange }: TabsProps<T>) {
  return (
    <Base.Root value={value} onValueChange={(next: T) => onChange(next)}>
      <Base.List className={cx(styles.list)} aria-label={label} activateOnFocus>
        {items.map((item) => (
          <Base.Tab key={item.value} value={item.value} className={cx(styles.tab)}>
            {item.label}
          </Base.Tab>
        ))}
      </Base.List>
      {items.map((item) => (
        <Base.Panel key={item.value} value={item.value} className={cx(styles.panel)}>
          {item.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
