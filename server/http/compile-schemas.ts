import buildValidators from '@fastify/ajv-compiler'
import { SerializerSelector as buildSerializers } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

/** Compiles each schema when it is first used: compiling all of them took most of a second at each start. */
export const compileSchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildValidator: compiledOnce(buildValidators(), validatorOnFirstCall),
    buildSerializer: compiledOnce(buildSerializers(), serializerOnFirstCall),
  },
}

type Build<Schemas, Options, Route, Compiled> = (
  schemas: Schemas,
  options: Options,
) => (route: Route) => Compiled

function compiledOnce<Schemas, Options, Route, Compiled>(
  build: Build<Schemas, Options, Route, Compiled>,
  onFirstCall: (compile: () => Compiled) => Compiled,
): Build<Schemas, Options, Route, Compiled> {
  const compiled = new Map<string, Compiled>()
  return (schemas, options) => {
    const compile = build(schemas, options)
    const shared = JSON.stringify([schemas, options])
    return (route) => {
      const key = shared + JSON.stringify(Object(route).schema)
      const known = compiled.get(key) ?? onFirstCall(() => compile(route))
      compiled.set(key, known)
      return known
    }
  }
}

type Validator = ReturnType<ReturnType<ReturnType<typeof buildValidators>>>
type Serializer = ReturnType<ReturnType<ReturnType<typeof buildSerializers>>>

function validatorOnFirstCall(compile: () => Validator): Validator {
  let compiled: Validator | undefined
  const validate = (data: unknown) => {
    compiled ??= compile()
    const isValid = compiled(data)
    // Fastify reads the errors from the function that it called.
    Object.assign(validate, { errors: compiled.errors })
    return isValid
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Fastify only calls it and reads its errors
  return validate as Validator
}

function serializerOnFirstCall(compile: () => Serializer): Serializer {
  let compiled: Serializer | undefined
  return (data: unknown) => (compiled ??= compile())(data)
}
