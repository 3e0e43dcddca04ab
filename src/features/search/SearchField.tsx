import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import type { ComponentProps, Ref } from 'react'
import { Icon } from '#ui/Icon.tsx'
import styles from './results.module.css'

interface SearchFieldProps extends ComponentProps<'input'> {
  label: string
  ref?: Ref<HTMLInputElement>
}

/** Large and without a frame: what is looked for is the heading of what is found. */
export function SearchField({ label, ...input }: SearchFieldProps) {
  return (
    <label className={styles.field}>
      <Icon of={MagnifyingGlassIcon} size={24} />
      <input
        {...input}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={200}
        className={styles.input}
      />
    </label>
  )
}
