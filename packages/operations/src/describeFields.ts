import * as z from 'zod'

/**
 * Returns the same object with a description on every field. The protocol's schemas have none: browsers load them, and
 * descriptions are for documents.
 */
export function describeFields<Shape extends Readonly<Record<string, z.core.$ZodType>>>(
  shape: Shape,
  descriptions: { readonly [Name in keyof Shape]: string },
): z.ZodObject<Shape, z.core.$strict> {
  const described = Object.entries(shape).map(([name, schema]) => [name, describeSchema(schema, descriptions[name])])
  return z.strictObject(Object.fromEntries(described) as Shape)
}

/** Returns the same schema with a description. */
export function describeSchema<Schema extends z.core.$ZodType>(
  schema: Schema,
  description: string | undefined,
): Schema {
  const described = z.core.clone(schema)
  if (description !== undefined) z.globalRegistry.add(described, { description })
  return described
}
