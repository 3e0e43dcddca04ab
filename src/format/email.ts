const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Something, an at sign, and a domain with a dot. Spaces around it don't count. */
export const isEmail = (typed: string): boolean => EMAIL.test(typed.trim())
