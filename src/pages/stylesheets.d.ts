/** The bundler puts stylesheets into a file of their own. */
declare module "*.css";
