import type { ReactNode } from 'react'
import { Display } from './Display.tsx'
import styles from './layout.module.css'

interface SectionHeadProps {
  title: ReactNode
  id?: string | undefined
  level?: 'h2' | 'h3' | undefined
  children?: ReactNode | undefined
}

export function SectionHead({ title, id, level = 'h2', children }: SectionHeadProps) {
  return (
    <div className={styles.row}>
      <Display as={level} size="md" id={id}>
        {title}
      </Display>
      {children && <div className={styles.aside}>{children}</div>}
    </div>
  )
}
