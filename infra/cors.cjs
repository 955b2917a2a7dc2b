// infra/cors.ts for serverless.yml, whose variables read no TypeScript.
const { corsOf } = require('./cors.ts');

module.exports = async ({ resolveVariable }) => {
  return corsOf(await resolveVariable('param:allowedOrigins'));
};
