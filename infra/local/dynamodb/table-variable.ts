// The environment variable that tells a function the name of a table: ExportJobs -> TABLE_EXPORT_JOBS.

export function tableVariable(resourceName: string): string {
  return `TABLE_${resourceName.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}`;
}
